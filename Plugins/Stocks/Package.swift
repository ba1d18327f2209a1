// swift-tools-version: 6.3
import PackageDescription

let core: Target.Dependency = .product(name: "PluginCore", package: "Core")
let extensions: Target.Dependency = .product(name: "PluginExtension", package: "PluginExtension")

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
    dependencies: ["../../Packages/Core", "../../Packages/PluginExtension", "../Money"].map { .package(path: $0) },
    targets: [
        .target(name: "StocksInterface", dependencies: [core]),
        // The watch list and the prices, of which the plugin and the widget each contain a copy: no process loads both.
        .target(name: "StocksData", dependencies: [.product(name: "Money", package: "Money"), core]),
        .target(name: "Stocks", dependencies: ["StocksData", "StocksInterface", core]),
        .target(name: "StocksWidget", dependencies: ["StocksData", core, extensions]),
    ]
)

// Common settings: the same in every plugin, checked by Tests/Architecture.
let names = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault"]
let all = names.map { SwiftSetting.enableUpcomingFeature($0) } + [.treatAllWarnings(as: .error)]
for target in package.targets where target.type != .system { target.swiftSettings = (target.swiftSettings ?? []) + all }
