// swift-tools-version: 6.3
import PackageDescription

let core = Target.Dependency.product(name: "PluginCore", package: "Core")
let package = Package(
    name: "Stocks",
    products: [
        .library(name: "StocksInterface", type: .static, targets: ["StocksInterface"]),
        .library(name: "Stocks", type: .dynamic, targets: ["Stocks"]),
        // The library of the widget, which runs in a process of its own.
        .library(name: "StocksWidget", type: .dynamic, targets: ["StocksWidget"]),
    ],
    dependencies: ["../../Packages/Core", "../../Packages/PluginExtension", "../Money"].map { .package(path: $0) },
    targets: [
        .target(name: "StocksInterface", dependencies: [core]),
        // The watch list and the prices, of which the plugin and the widget each contain a copy: no process loads both.
        .target(name: "StocksData", dependencies: ["Money", core]),
        .target(name: "Stocks", dependencies: ["StocksData", "StocksInterface", core]),
        .target(name: "StocksWidget", dependencies: ["StocksData", "PluginExtension", core]),
    ]
)

// Common settings, checked by Tests/Architecture.
for target in package.targets { target.swiftSettings = [.unsafeFlags(["@\(Context.packageDirectory)/../settings"])] }
