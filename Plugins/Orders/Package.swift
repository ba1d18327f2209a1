// swift-tools-version: 6.3
import PackageDescription

let core = Target.Dependency.product(name: "PluginCore", package: "Core")
let account = Target.Dependency.product(name: "AccountInterface", package: "Account")
let package = Package(
    name: "Orders",
    products: [
        .library(name: "OrdersInterface", type: .static, targets: ["OrdersInterface"]),
        .library(name: "Orders", type: .dynamic, targets: ["Orders"]),
    ],
    dependencies: [
        "../../Packages/Core", "../../Packages/PluginDatabase", "../../Packages/SQLite", "../Account", "../Money",
    ].map { .package(path: $0) },
    targets: [
        .target(name: "OrdersInterface", dependencies: [core]),
        .target(name: "Orders", dependencies: ["OrdersInterface", "Money", "PluginDatabase", "SQLite", account, core]),
    ]
)
for target in package.targets { target.swiftSettings = [.unsafeFlags(["@\(Context.packageDirectory)/../settings"])] }
