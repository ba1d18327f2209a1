// swift-tools-version: 6.3
import PackageDescription

// The products that are used, with their packages.
let used: KeyValuePairs = [
    "PluginCore": "Core", "RemoteCatalog": "Catalog", "PageLayouts": "PageLayouts", "Preflight": "Preflight",
    "Processes": "Processes", "Resolver": "Resolver", "PluginRouter": "Router", "PluginRuntime": "Runtime",
    "HostSystem": "System", "Trust": "Trust",
]

let package = Package(
    name: "Embedding",
    products: [.library(name: "Atrium", type: .dynamic, targets: ["Atrium"])],
    dependencies: used.map { .package(name: $0, path: "../\($1)") },
    targets: [
        // The kernel and the layers, connected, for a program that is a host.
        .target(name: "Atrium", dependencies: used.map { .byName(name: $0.key) }, packageAccess: false)
    ]
)

// Common settings, checked by Tests/Architecture.
for target in package.targets { target.swiftSettings = [.unsafeFlags(["@\(Context.packageDirectory)/../settings"])] }
