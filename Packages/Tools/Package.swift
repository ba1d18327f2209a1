// swift-tools-version: 6.3
import PackageDescription

// The products that are used, with their packages.
let used: KeyValuePairs = [
    "Authoring": "Authoring", "RemoteCatalog": "Catalog", "PluginCore": "Core", "Signing": "Crypto",
    "ExtensionHost": "Extensions", "PageLayouts": "PageLayouts", "PluginExtension": "PluginExtension",
    "Preflight": "Preflight", "Processes": "Processes", "Resolver": "Resolver", "PluginRouter": "Router",
    "PluginRuntime": "Runtime", "HostSystem": "System", "TUF": "TUF", "Trust": "Trust", "Zip": "Zip",
]
let all = used.map { Target.Dependency.byName(name: $0.key) }

let package = Package(
    name: "Tools",
    products: [
        .library(name: "Console", targets: ["Console", "TerminalImages"]),
        .library(name: "BundleTool", targets: ["BundleTool", "CatalogPublisher", "PluginLint", "PluginValidation"]),
        .executable(name: "bundletool", targets: ["bundletool"]),
    ],
    dependencies: used.map { .package(name: $0, path: "../\($1)") },
    targets: [
        .target(name: "Console", dependencies: ["HostSystem", "PluginExtension", "PluginCore"], packageAccess: false),
        // The header of libpng, which is opened with the first image.
        .systemLibrary(name: "CTerminalImages"),
        // PNG images as a terminal shows them.
        .target(name: "TerminalImages", dependencies: ["CTerminalImages"]),
        // Catalogs of packages and Interfaces: edit, sign and publish.
        .target(name: "CatalogPublisher", dependencies: ["Console"] + all, packageAccess: false),
        // The files that the code of a process changes, as the kernel sees it.
        .target(name: "CObservedWrites"),
        // The checks of a built plugin's behavior.
        .target(name: "PluginValidation", dependencies: ["CObservedWrites", "Console"] + all, packageAccess: false),
        // The rules of `bundletool lint`. No files and no processes.
        .target(name: "PluginLint", dependencies: ["Console"] + all, packageAccess: false),
        .target(
            name: "BundleTool",
            dependencies: ["CatalogPublisher", "Console", "PluginLint", "PluginValidation"] + all, packageAccess: false),
        .executableTarget(
            name: "bundletool", dependencies: ["BundleTool", "Console"],
            // The folder of the libraries that host and plugins share, relative to bin, so that build/ can be moved.
            linkerSettings: [.unsafeFlags(["-Xlinker", "-rpath", "-Xlinker", "$ORIGIN/../lib"])]),
    ]
)

// Common settings, checked by Tests/Architecture.
let settings: [SwiftSetting] = [.unsafeFlags(["@\(Context.packageDirectory)/../settings"])]
for target in package.targets where target.type != .system { target.swiftSettings = settings }
