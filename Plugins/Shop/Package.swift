// swift-tools-version: 6.3
import PackageDescription

let core: Target.Dependency = .product(name: "PluginCore", package: "Core")

let package = Package(
    name: "Shop",
    products: [
        // The static library that other plugins link, with contracts but no code of the plugin.
        .library(name: "ShopInterface", type: .static, targets: ["ShopInterface"]),
        // The library that the host loads.
        .library(name: "Shop", type: .dynamic, targets: ["Shop"]),
    ],
    dependencies: ["../../Packages/Core", "../Account", "../Money", "../Orders"].map { .package(path: $0) },
    targets: [
        .target(name: "ShopInterface", dependencies: [core]),
        .target(
            name: "Shop",
            dependencies: [
                "ShopInterface", core, .product(name: "AccountInterface", package: "Account"),
                .product(name: "Money", package: "Money"), .product(name: "OrdersInterface", package: "Orders"),
            ]),
    ]
)

// Common settings: the same in every plugin, checked by Tests/Architecture.
let names = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault"]
let all = names.map { SwiftSetting.enableUpcomingFeature($0) } + [.treatAllWarnings(as: .error)]
for target in package.targets where target.type != .system { target.swiftSettings = (target.swiftSettings ?? []) + all }
