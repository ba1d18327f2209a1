// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "Shop",
    products: [
        // The static library that other plugins link, with names and facades but no code of the plugin.
        .library(name: "ShopInterface", type: .static, targets: ["ShopInterface"]),
        // The library that the host loads.
        .library(name: "Shop", type: .dynamic, targets: ["Shop"]),
    ],
    traits: [
        .trait(name: "FirstRelease", description: "Builds release 1.0.0 instead of 1.1.0; see Release.swift."),
        .trait(name: "SecondRelease", description: "Builds release 1.1.0, which needs Money."),
        .default(enabledTraits: ["SecondRelease"]),
    ],
    dependencies: [
        .package(path: "../../Packages/Core"),
        .package(path: "../../Packages/TestKit"),
        .package(path: "../Account"),
        .package(path: "../Money"),
        .package(path: "../Orders"),
    ],
    targets: [
        .target(name: "ShopInterface", dependencies: [.product(name: "PluginCore", package: "Core")]),
        .target(
            name: "Shop",
            dependencies: [
                "ShopInterface",
                .product(name: "PluginCore", package: "Core"),
                .product(name: "AccountInterface", package: "Account"),
                .product(name: "OrdersInterface", package: "Orders"),
                .product(name: "Money", package: "Money", condition: .when(traits: ["SecondRelease"])),
            ]
        ),
        .testTarget(
            name: "ShopTests",
            dependencies: [
                "Shop", "ShopInterface",
                .product(name: "PluginCore", package: "Core"),
                .product(name: "PluginTestKit", package: "TestKit"),
            ]
        ),
    ]
)

// Common settings: the same block in every Package.swift, checked by Tests/Architecture.
let commonSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),  // SE-0335
    .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
    .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),  // SE-0461
    .treatAllWarnings(as: .error),  // SE-0480
]
for target in package.targets where target.type != .system && target.type != .binary {
    target.swiftSettings = (target.swiftSettings ?? []) + commonSettings
}
