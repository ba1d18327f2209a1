// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "Core",
    // A dynamic library, because `as?` across the plugin boundary works only if the process has a single copy of the contract.
    products: [.library(name: "PluginCore", type: .dynamic, targets: ["PluginCore"])],
    targets: [
        // The C layout of the value that a plugin's exported function returns.
        .target(name: "CPluginEntry"),
        // A plugin built against an older Core works with a newer one of the same ABI version. The compiler's check of the
        // textual interface does not find C targets of the same package; a test of the SDK checks it.
        .target(
            name: "PluginCore", dependencies: ["CPluginEntry"],
            swiftSettings: [.unsafeFlags(["-enable-library-evolution", "-no-verify-emitted-module-interface"])]),
    ]
)

// Common settings, checked by Tests/Architecture.
for each in package.targets { each.swiftSettings?.append(.unsafeFlags(["@\(Context.packageDirectory)/../settings"])) }
