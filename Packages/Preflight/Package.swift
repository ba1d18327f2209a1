// swift-tools-version: 6.3
import PackageDescription

// The products that are used, with their packages.
let used: KeyValuePairs = [
    "HostSystem": "System", "PluginCore": "Core", "PluginDatabase": "PluginDatabase", "PluginRuntime": "Runtime",
    "Processes": "Processes", "Zip": "Zip",
]

let package = Package(
    name: "Preflight",
    products: [.library(name: "Preflight", type: .dynamic, targets: ["Preflight"])],
    dependencies: used.map { .package(name: $0, path: "../\($1)") },
    targets: [
        .systemLibrary(name: "CELF"),
        // The checks of a library's file, before any of its code runs.
        .target(name: "Preflight", dependencies: ["CELF"] + used.map { .byName(name: $0.key) }, packageAccess: false),
    ]
)

// Common settings, checked by Tests/Architecture.
let settings: [SwiftSetting] = [.unsafeFlags(["@\(Context.packageDirectory)/../settings"])]
for target in package.targets where target.type != .system { target.swiftSettings = settings }
