// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "Orders",
    products: [
        // The static library that other plugins link, with names and facades but no code of the plugin.
        .library(name: "OrdersInterface", type: .static, targets: ["OrdersInterface"]),
        // The library that the host loads.
        .library(name: "Orders", type: .dynamic, targets: ["Orders"]),
    ],
    dependencies: ["../../Packages/Core", "../../Packages/SQLite", "../Account", "../Money"].map { .package(path: $0) },
    targets: [
        .target(name: "OrdersInterface", dependencies: [.product(name: "PluginCore", package: "Core")]),
        .target(
            name: "Orders",
            dependencies: [
                "OrdersInterface", .product(name: "AccountInterface", package: "Account"),
                .product(name: "Money", package: "Money"), .product(name: "PluginCore", package: "Core"),
                .product(name: "SQLite", package: "SQLite"),
            ]),
    ]
)

// Common settings: the file Packages/settings, in every Package.swift, checked by Tests/Architecture.
let settings: [SwiftSetting] = [.unsafeFlags(["@\(Context.packageDirectory)/../../Packages/settings"])]
for target in package.targets { target.swiftSettings = settings }
