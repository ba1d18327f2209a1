// swift-tools-version: 6.3
import PackageDescription

let core = Target.Dependency.product(name: "PluginCore", package: "Core")
let package = Package(
    name: "Account",
    products: [
        .library(name: "AccountInterface", type: .static, targets: ["AccountInterface"]),
        .library(name: "Account", type: .dynamic, targets: ["Account"]),
    ],
    dependencies: [.package(path: "../../Packages/Core")],
    targets: [
        .target(name: "AccountInterface", dependencies: [core]),
        .target(name: "Account", dependencies: ["AccountInterface", core]),
    ]
)

// Common settings, checked by Tests/Architecture.
for target in package.targets { target.swiftSettings = [.unsafeFlags(["@\(Context.packageDirectory)/../settings"])] }
