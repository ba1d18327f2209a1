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
    dependencies: [.package(path: "../../Packages/Core")],
    targets: [
        .target(name: "AccountInterface", dependencies: [.product(name: "PluginCore", package: "Core")]),
        .target(name: "Account", dependencies: ["AccountInterface", .product(name: "PluginCore", package: "Core")]),
    ]
)

// Common settings: the file Packages/settings, in every Package.swift, checked by Tests/Architecture.
let settings: [SwiftSetting] = [.unsafeFlags(["@\(Context.packageDirectory)/../../Packages/settings"])]
for target in package.targets { target.swiftSettings = settings }
