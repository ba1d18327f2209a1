// swift-tools-version: 6.3
import PackageDescription

// The products that are used, with their packages.
let used: KeyValuePairs = ["PluginCore": "Core", "PluginRuntime": "Runtime", "HostSystem": "System"]

let package = Package(
    name: "Resolver",
    products: [.library(name: "Resolver", type: .dynamic, targets: ["Resolver"])],
    dependencies: used.map { .package(name: $0, path: "../\($1)") },
    targets: [
        // The choice of versions that fit together, and the lock of an app, which keeps to such a choice.
        .target(name: "Resolver", dependencies: used.map { .byName(name: $0.key) }, packageAccess: false)
    ]
)

// Common settings, checked by Tests/Architecture.
for target in package.targets { target.swiftSettings = [.unsafeFlags(["@\(Context.packageDirectory)/../settings"])] }
