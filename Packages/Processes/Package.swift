// swift-tools-version: 6.3
import PackageDescription

// The products that are used, with their packages.
let used: KeyValuePairs = ["HostSystem": "System", "PluginCore": "Core"]

let package = Package(
    name: "Processes",
    products: [.library(name: "Processes", type: .dynamic, targets: ["BundleStorage", "Processes"])],
    dependencies: used.map { .package(path: "../\($1)") },
    targets: [
        .target(
            name: "CProcesses", dependencies: [.product(name: "HostSystem", package: "System")],
            cSettings: [.unsafeFlags(["-fvisibility=hidden"])]),
        // Child processes, what two processes share, and the end of this one. For layers, tools and hosts.
        .target(
            name: "Processes", dependencies: ["CProcesses"] + used.map { .product(name: $0, package: $1) },
            packageAccess: false),
        // The files in a bundle's container, which several processes change.
        .target(
            name: "BundleStorage", dependencies: ["Processes"] + used.map { .product(name: $0, package: $1) },
            packageAccess: false),
    ]
)

// The runtime and the packages around it share their `package` declarations, as one package of that name.
for target in package.targets { target.swiftSettings = [.unsafeFlags(["-package-name", "runtime"])] }

// Common settings: the same block in every Package.swift, checked by Tests/Architecture.
let names = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault"]
let all = names.map { SwiftSetting.enableUpcomingFeature($0) } + [.treatAllWarnings(as: .error)]
for target in package.targets where target.type != .system { target.swiftSettings = (target.swiftSettings ?? []) + all }
