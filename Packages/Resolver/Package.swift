// swift-tools-version: 6.3
import PackageDescription

// The products that are used, with their packages.
let used: KeyValuePairs = ["PluginCore": "Core", "PluginRuntime": "Runtime", "HostSystem": "System"]

let package = Package(
    name: "Resolver",
    products: [.library(name: "Resolver", type: .dynamic, targets: ["Resolver"])],
    dependencies: used.map { .package(path: "../\($1)") },
    targets: [
        // The choice of versions that fit together, and the lock of an app, which keeps to such a choice.
        .target(
            name: "Resolver", dependencies: used.map { .product(name: $0, package: $1) },
            packageAccess: false, swiftSettings: [.unsafeFlags(["-package-name", "runtime"])])
    ]
)

// Common settings: the same block in every Package.swift, checked by Tests/Architecture.
let names = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault"]
let all = names.map { SwiftSetting.enableUpcomingFeature($0) } + [.treatAllWarnings(as: .error)]
for target in package.targets where target.type != .system { target.swiftSettings = (target.swiftSettings ?? []) + all }
