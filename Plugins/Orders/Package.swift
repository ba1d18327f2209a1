// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "Orders",
    products: [
        // The static library that other plugins link, with contracts but no code of the plugin.
        .library(name: "OrdersInterface", type: .static, targets: ["OrdersInterface"]),
        // The library that the host loads.
        .library(name: "Orders", type: .dynamic, targets: ["Orders"]),
    ],
    dependencies: [
        "../../Packages/Core", "../../Packages/PluginDatabase", "../../Packages/SQLite", "../Account", "../Money",
    ].map { .package(path: $0) },
    targets: [
        .target(name: "OrdersInterface", dependencies: [.product(name: "PluginCore", package: "Core")]),
        .target(
            name: "Orders",
            dependencies: [
                "OrdersInterface", .product(name: "AccountInterface", package: "Account"),
                .product(name: "Money", package: "Money"), .product(name: "PluginCore", package: "Core"),
                .product(name: "PluginDatabase", package: "PluginDatabase"),
                .product(name: "SQLite", package: "SQLite"),
            ]),
    ]
)

// Common settings: the same in every plugin, checked by Tests/Architecture.
let names = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault"]
let all = names.map { SwiftSetting.enableUpcomingFeature($0) } + [.treatAllWarnings(as: .error)]
for target in package.targets where target.type != .system { target.swiftSettings = (target.swiftSettings ?? []) + all }
