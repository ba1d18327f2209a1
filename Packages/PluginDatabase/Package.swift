// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "PluginDatabase",
    // A dynamic library, so that a plugin built against an older one gets the rules of its host.
    products: [.library(name: "PluginDatabase", type: .dynamic, targets: ["PluginDatabase"])],
    dependencies: [.package(name: "PluginCore", path: "../Core"), .package(path: "../SQLite")],
    targets: [
        // Like Core and SQLite, a newer one works with plugins that were built against an older one.
        .target(
            name: "PluginDatabase", dependencies: ["PluginCore", "SQLite"],
            swiftSettings: [.unsafeFlags(["-enable-library-evolution", "-no-verify-emitted-module-interface"])])
    ]
)

// Common settings, checked by Tests/Architecture.
for each in package.targets { each.swiftSettings?.append(.unsafeFlags(["@\(Context.packageDirectory)/../settings"])) }
