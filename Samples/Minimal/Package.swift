// swift-tools-version: 6.3
import PackageDescription

// The host does not depend on the plugins, nor a plugin on another: all depend on the contract alone.
let package = Package(
    name: "Minimal",
    products: [
        .library(name: "Shop", type: .dynamic, targets: ["Shop"]),
        .library(name: "Cart", type: .dynamic, targets: ["Cart"]),
    ],
    dependencies: [.package(path: "Contract")],
    targets: [
        .executableTarget(name: "minimal", dependencies: ["Contract"]),
        .target(name: "Shop", dependencies: ["Contract"], path: "Plugins/Shop", exclude: ["manifest.json"]),
        .target(name: "Cart", dependencies: ["Contract"], path: "Plugins/Cart", exclude: ["manifest.json"]),
        .testTarget(name: "MinimalTests"),
    ]
)
