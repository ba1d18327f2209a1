// swift-tools-version: 6.3
import PackageDescription

let contract: Target.Dependency = .product(name: "Contract", package: "Contract")
let strict: [SwiftSetting] = [.treatAllWarnings(as: .error)]

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
        .executableTarget(name: "minimal", dependencies: [contract], swiftSettings: strict),
        .target(
            name: "Shop", dependencies: [contract], path: "Plugins/Shop", exclude: ["manifest.json"],
            swiftSettings: strict),
        .target(
            name: "Cart", dependencies: [contract], path: "Plugins/Cart", exclude: ["manifest.json"],
            swiftSettings: strict),
        .testTarget(name: "MinimalTests", swiftSettings: strict),
    ]
)
