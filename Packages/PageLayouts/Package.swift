// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "PageLayouts",
    // A dynamic library, because host and plugins must have one copy of its types.
    products: [.library(name: "PageLayouts", type: .dynamic, targets: ["PageLayouts"])],
    dependencies: [.package(name: "PluginCore", path: "../Core")],
    targets: [
        // Like Core, a newer one works with plugins that were built against an older one of the same ABI version.
        .target(
            name: "PageLayouts", dependencies: ["PluginCore"],
            swiftSettings: [.unsafeFlags(["-enable-library-evolution", "-no-verify-emitted-module-interface"])])
    ]
)

// Common settings, checked by Tests/Architecture.
for each in package.targets { each.swiftSettings?.append(.unsafeFlags(["@\(Context.packageDirectory)/../settings"])) }
