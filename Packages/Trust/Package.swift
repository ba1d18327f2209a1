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
    dependencies: used.map { .package(path: "../\($1)") },
    targets: [
        // The teams that may sign bundles, and the verification of seals.
        .target(
            name: "Trust", dependencies: used.map { .product(name: $0, package: $1) },
            packageAccess: false, swiftSettings: [.unsafeFlags(["-package-name", "runtime"])])
    ]
)

// Common settings: the same block in every Package.swift, checked by Tests/Architecture.
let names = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault"]
let all = names.map { SwiftSetting.enableUpcomingFeature($0) } + [.treatAllWarnings(as: .error)]
for target in package.targets where target.type != .system { target.swiftSettings = (target.swiftSettings ?? []) + all }
