// swift-tools-version: 6.3
import PackageDescription

// The products that are used, with their packages.
let used: KeyValuePairs = [
    "HostSystem": "System", "PluginCore": "Core", "PluginRuntime": "Runtime", "Processes": "Processes", "Zip": "Zip",
]

let package = Package(
    name: "Preflight",
    products: [.library(name: "Preflight", type: .dynamic, targets: ["Preflight"])],
    dependencies: used.map { .package(path: "../\($1)") },
    targets: [
        .systemLibrary(name: "CELF"),
        // The checks of a library's file, before any of its code runs.
        .target(
            name: "Preflight", dependencies: ["CELF"] + used.map { .product(name: $0, package: $1) },
            packageAccess: false, swiftSettings: [.unsafeFlags(["-package-name", "runtime"])]),
    ]
)

// Common settings: the same block in every Package.swift, checked by Tests/Architecture.
let names = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault"]
let all = names.map { SwiftSetting.enableUpcomingFeature($0) } + [.treatAllWarnings(as: .error)]
for target in package.targets where target.type != .system { target.swiftSettings = (target.swiftSettings ?? []) + all }
