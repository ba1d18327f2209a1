// swift-tools-version: 6.3
import PackageDescription

// The products that are used, with their packages.
let used: KeyValuePairs = [
    "Authoring": "Authoring", "PluginCore": "Core", "Signing": "Crypto", "ExtensionHost": "Extensions",
    "PageLayouts": "PageLayouts", "PluginExtension": "PluginExtension", "Processes": "Processes",
    "PluginRouter": "Router", "PluginRuntime": "Runtime", "HostSystem": "System", "Trust": "Trust", "Zip": "Zip",
]

let package = Package(
    name: "TestKit",
    products: [.library(name: "PluginTestKit", type: .dynamic, targets: ["PluginTestKit"])],
    dependencies: used.map { .package(name: $0, path: "../\($1)") },
    targets: [
        // A host, catalogs and fakes for the tests of plugins.
        .target(name: "PluginTestKit", dependencies: used.map { .byName(name: $0.key) }, packageAccess: false)
    ]
)

// Common settings, checked by Tests/Architecture.
for target in package.targets { target.swiftSettings = [.unsafeFlags(["@\(Context.packageDirectory)/../settings"])] }
