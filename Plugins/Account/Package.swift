// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "Account",
    products: [
        // The static library that other plugins link, with names and facades but no code of the plugin.
        .library(name: "AccountInterface", type: .static, targets: ["AccountInterface"]),
        // The library that the host loads.
        .library(name: "Account", type: .dynamic, targets: ["Account"]),
    ],
    dependencies: [
        .package(path: "../../Packages/Core"),
        .package(path: "../../Packages/TestKit"),
    ],
    targets: [
        .target(name: "AccountInterface", dependencies: [.product(name: "PluginCore", package: "Core")]),
        .target(
            name: "Account",
            dependencies: ["AccountInterface", .product(name: "PluginCore", package: "Core")]
        ),
        .testTarget(
            name: "AccountTests",
            dependencies: [
                "Account", "AccountInterface",
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
