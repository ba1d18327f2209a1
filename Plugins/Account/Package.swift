// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "Account",
    products: [
        // The static library that other plugins link, with contracts but no code of the plugin.
        .library(name: "AccountInterface", type: .static, targets: ["AccountInterface"]),
        // The library that the host loads.
        .library(name: "Account", type: .dynamic, targets: ["Account"]),
    ],
    dependencies: [.package(path: "../../Packages/Core")],
    targets: [
        .target(name: "AccountInterface", dependencies: [.product(name: "PluginCore", package: "Core")]),
        .target(name: "Account", dependencies: ["AccountInterface", .product(name: "PluginCore", package: "Core")]),
    ]
)

// Common settings: the same in every plugin, checked by Tests/Architecture.
let names = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault"]
let all = names.map { SwiftSetting.enableUpcomingFeature($0) } + [.treatAllWarnings(as: .error)]
for target in package.targets where target.type != .system { target.swiftSettings = (target.swiftSettings ?? []) + all }
