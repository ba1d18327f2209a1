// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "Stocks",
    products: [
        // The static library that other plugins link, with names but no code of the plugin.
        .library(name: "StocksInterface", type: .static, targets: ["StocksInterface"]),
        // The library that the host loads.
        .library(name: "Stocks", type: .dynamic, targets: ["Stocks"]),
        // The library of the widget, which runs in a process of its own.
        .library(name: "StocksWidget", type: .dynamic, targets: ["StocksWidget"]),
    ],
    dependencies: [
        .package(path: "../../Packages/Core"),
        .package(path: "../../Packages/TestKit"),
        .package(path: "../Money"),
    ],
    targets: [
        .target(name: "StocksInterface", dependencies: [.product(name: "PluginCore", package: "Core")]),
        // The watch list and the prices, of which the plugin and the widget each contain a copy: no process loads both.
        .target(
            name: "StocksData",
            dependencies: [.product(name: "Money", package: "Money"), .product(name: "PluginCore", package: "Core")]
        ),
        .target(
            name: "Stocks",
            dependencies: ["StocksData", "StocksInterface", .product(name: "PluginCore", package: "Core")]
        ),
        .target(name: "StocksWidget", dependencies: ["StocksData", .product(name: "PluginCore", package: "Core")]),
        .testTarget(
            name: "StocksTests",
            dependencies: [
                "Stocks", "StocksInterface", "StocksWidget",
                .product(name: "PluginCore", package: "Core"),
                .product(name: "PluginTestKit", package: "TestKit"),
            ],
            // The plugin and its widget have an entry function of the same name, and the tests contain both.
            linkerSettings: [.unsafeFlags(["-Xlinker", "--allow-multiple-definition"])]
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
