// swift-tools-version: 6.3
import PackageDescription

let core = Target.Dependency.product(name: "PluginCore", package: "Core")
let package = Package(
    name: "Shop",
    products: [
        .library(name: "ShopInterface", type: .static, targets: ["ShopInterface"]),
        .library(name: "Shop", type: .dynamic, targets: ["Shop"]),
    ],
    dependencies: ["../../Packages/Core", "../Account", "../Money", "../Orders"].map { .package(path: $0) },
    targets: [
        .target(name: "ShopInterface", dependencies: [core]),
        .target(
            name: "Shop",
            dependencies: ["Account", "Orders"].map { .product(name: "\($0)Interface", package: $0) }
                + ["ShopInterface", "Money", core]),
    ]
)
for target in package.targets { target.swiftSettings = [.unsafeFlags(["@\(Context.packageDirectory)/../settings"])] }
