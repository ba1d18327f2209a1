// swift-tools-version: 6.3
import PackageDescription

// The products that are used, with their packages.
let used: KeyValuePairs = [
    "HostSystem": "System", "PluginCore": "Core", "PluginExtension": "PluginExtension", "PluginRouter": "Router",
    "PluginRuntime": "Runtime", "Signing": "Crypto", "Zip": "Zip",
]

let package = Package(
    name: "Authoring",
    products: [.library(name: "Authoring", type: .dynamic, targets: ["Authoring", "ZipWriting"])],
    dependencies: used.map { .package(name: $0, path: "../\($1)") },
    targets: [
        // What bundletool makes of a plugin: the complete manifest, the seal, and the package.
        .target(
            name: "Authoring", dependencies: ["ZipWriting"] + used.map { .byName(name: $0.key) }, packageAccess: false),
        .target(name: "ZipWriting", dependencies: ["Zip", "HostSystem"], packageAccess: false),
    ]
)

// Common settings, checked by Tests/Architecture.
for target in package.targets { target.swiftSettings = [.unsafeFlags(["@\(Context.packageDirectory)/../settings"])] }
