// swift-tools-version: 6.3
import PackageDescription

// The products that are used, with their packages.
let used: KeyValuePairs = [
    "HostSystem": "System", "PluginCore": "Core", "PluginRouter": "Router", "PluginRuntime": "Runtime",
    "Signing": "Crypto", "Zip": "Zip",
]

let package = Package(
    name: "Trust",
    products: [.library(name: "Trust", type: .dynamic, targets: ["Trust"])],
    dependencies: used.map { .package(name: $0, path: "../\($1)") },
    targets: [
        // The teams that may sign bundles, and the verification of seals.
        .target(name: "Trust", dependencies: used.map { .byName(name: $0.key) }, packageAccess: false)
    ]
)

// Common settings, checked by Tests/Architecture.
for target in package.targets { target.swiftSettings = [.unsafeFlags(["@\(Context.packageDirectory)/../settings"])] }
