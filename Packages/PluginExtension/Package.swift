// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "PluginExtension",
    // A dynamic library, because the process of an extension must have one copy of its types.
    products: [.library(name: "PluginExtension", type: .dynamic, targets: ["PluginExtension"])],
    dependencies: [.package(name: "PluginCore", path: "../Core")],
    targets: [
        // Like Core, a newer one works with extensions that were built against an older one of the same ABI version.
        .target(
            name: "PluginExtension", dependencies: ["PluginCore"],
            swiftSettings: [.unsafeFlags(["-enable-library-evolution", "-no-verify-emitted-module-interface"])])
    ]
)

// Common settings, checked by Tests/Architecture.
for each in package.targets { each.swiftSettings?.append(.unsafeFlags(["@\(Context.packageDirectory)/../settings"])) }
