// swift-tools-version: 6.3
import PackageDescription

// The products that are used, with their packages.
let used: KeyValuePairs = ["HostSystem": "System", "PluginCore": "Core"]

let package = Package(
    name: "Processes",
    products: [.library(name: "Processes", type: .dynamic, targets: ["BundleStorage", "Processes"])],
    dependencies: used.map { .package(name: $0, path: "../\($1)") },
    targets: [
        .target(name: "CProcesses", dependencies: ["HostSystem"], cSettings: [.unsafeFlags(["-fvisibility=hidden"])]),
        // Child processes, what two processes share, and the end of this one. For layers, tools and hosts.
        .target(
            name: "Processes", dependencies: ["CProcesses"] + used.map { .byName(name: $0.key) }, packageAccess: false),
        // The files in a bundle's container, which several processes change.
        .target(
            name: "BundleStorage", dependencies: ["Processes"] + used.map { .byName(name: $0.key) },
            packageAccess: false),
    ]
)

// Common settings, checked by Tests/Architecture.
for target in package.targets { target.swiftSettings = [.unsafeFlags(["@\(Context.packageDirectory)/../settings"])] }
