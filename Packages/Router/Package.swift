// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "Router",
    // A dynamic library, because a process must have one copy of its types.
    products: [.library(name: "PluginRouter", type: .dynamic, targets: ["PluginRouter"])],
    dependencies: [.package(name: "PluginCore", path: "../Core"), .package(name: "HostSystem", path: "../System")],
    targets: [.target(name: "PluginRouter", dependencies: ["HostSystem", "PluginCore"], packageAccess: false)]
)

// Common settings, checked by Tests/Architecture.
for target in package.targets { target.swiftSettings = [.unsafeFlags(["@\(Context.packageDirectory)/../settings"])] }
