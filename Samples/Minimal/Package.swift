// swift-tools-version: 6.3
import PackageDescription

let contract: Target.Dependency = .product(name: "Contract", package: "Contract")

// The host does not depend on the plugins, nor a plugin on another: all depend on the contract alone.
let package = Package(
    name: "Minimal",
    products: [
        .executable(name: "minimal", targets: ["minimal"]),
        .library(name: "Shop", type: .dynamic, targets: ["Shop"]),
        .library(name: "Cart", type: .dynamic, targets: ["Cart"]),
    ],
    dependencies: [.package(path: "Contract")],
    targets: [
        .executableTarget(name: "minimal", dependencies: [contract]),
        .target(name: "Shop", dependencies: [contract], path: "Plugins/Shop", exclude: ["manifest.json"]),
        .target(name: "Cart", dependencies: [contract], path: "Plugins/Cart", exclude: ["manifest.json"]),
        .testTarget(name: "MinimalTests"),
    ]
)
