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
    dependencies: used.map { .package(path: "../\($1)") },
    targets: [
        // What bundletool makes of a plugin: the complete manifest, the seal, and the package.
        .target(
            name: "Authoring", dependencies: ["ZipWriting"] + used.map { .product(name: $0, package: $1) },
            packageAccess: false),
        .target(
            name: "ZipWriting", dependencies: ["Zip", .product(name: "HostSystem", package: "System")],
            packageAccess: false),
    ]
)

// The runtime and the packages around it share their `package` declarations, as one package of that name.
for target in package.targets { target.swiftSettings = [.unsafeFlags(["-package-name", "runtime"])] }

// Common settings: the same block in every Package.swift, checked by Tests/Architecture.
let names = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault"]
let all = names.map { SwiftSetting.enableUpcomingFeature($0) } + [.treatAllWarnings(as: .error)]
for target in package.targets where target.type != .system { target.swiftSettings = (target.swiftSettings ?? []) + all }
