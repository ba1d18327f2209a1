// swift-tools-version: 6.3
import PackageDescription

// The products that are used, with their packages.
let used: KeyValuePairs = [
    "HostSystem": "System", "PluginCore": "Core", "PluginRouter": "Router", "PluginRuntime": "Runtime",
    "SQLite": "SQLite",
]

let package = Package(
    name: "Diagnosis",
    products: [.library(name: "Doctor", type: .dynamic, targets: ["Doctor"])],
    dependencies: used.map { .package(name: $0, path: "../\($1)") },
    targets: [
        // The checks of a sandbox, and the rebuilding of a lost registry.
        .target(name: "Doctor", dependencies: used.map { .byName(name: $0.key) }, packageAccess: false)
    ]
)

// Common settings, checked by Tests/Architecture.
for target in package.targets { target.swiftSettings = [.unsafeFlags(["@\(Context.packageDirectory)/../settings"])] }
