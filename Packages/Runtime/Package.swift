// swift-tools-version: 6.3
import PackageDescription

// The products that are used, with their packages.
let used: KeyValuePairs = [
    "PluginCore": "Core", "PluginRouter": "Router", "SQLite": "SQLite", "HostSystem": "System", "Zip": "Zip",
]
let all = used.map { Target.Dependency.byName(name: $0.key) }

let package = Package(
    name: "Runtime",
    products: [
        .library(name: "PluginRuntime", type: .dynamic, targets: ["BundleFormat", "PluginRuntime", "Registry"])
    ],
    dependencies: used.map { .package(name: $0, path: "../\($1)") },
    targets: [
        .systemLibrary(name: "CDigest", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        // The format of a bundle: manifest, seal and package.
        .target(name: "BundleFormat", dependencies: ["CDigest"] + all),
        // The layout of a sandbox, and the database of installed bundles.
        .target(name: "Registry", dependencies: ["BundleFormat"] + all),
        // Install, load, activate, crash recovery. What is not owned here is asked through ports.
        .target(name: "PluginRuntime", dependencies: ["BundleFormat", "Registry"] + all),
    ]
)

// Common settings, checked by Tests/Architecture.
let settings: [SwiftSetting] = [.unsafeFlags(["@\(Context.packageDirectory)/../settings"])]
for target in package.targets where target.type != .system { target.swiftSettings = settings }
