// swift-tools-version: 6.3
import PackageDescription

// A package of its own, so that the host and all plugins link one library, and not a copy of it each.
let package = Package(
    name: "Contract",
    products: [.library(name: "Contract", type: .dynamic, targets: ["Contract"])],
    targets: [.target(name: "CPluginEntry"), .target(name: "Contract", dependencies: ["CPluginEntry"])]
)
