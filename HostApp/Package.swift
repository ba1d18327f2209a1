// swift-tools-version: 6.3
import PackageDescription

// The products that are used, with their packages.
let used: KeyValuePairs = [
    "RemoteCatalog": "Catalog", "PluginCore": "Core", "Signing": "Crypto", "Doctor": "Diagnosis",
    "ExtensionHost": "Extensions", "PageLayouts": "PageLayouts", "PluginExtension": "PluginExtension",
    "Preflight": "Preflight", "Processes": "Processes", "Resolver": "Resolver", "PluginRouter": "Router",
    "PluginRuntime": "Runtime", "HostSystem": "System", "Console": "Tools", "Trust": "Trust",
]
let all = used.map { Target.Dependency.byName(name: $0.key) }

let package = Package(
    name: "HostApp",
    products: [
        .library(name: "AppHost", type: .dynamic, targets: ["AppHost", "AppScreens"]),
        .library(name: "AppHostObjects", targets: ["AppHost", "AppScreens"]),
        .executable(name: "hostapp", targets: ["hostapp"]),
    ],
    dependencies: used.map { .package(name: $0, path: "../Packages/\($1)") },
    targets: [
        .target(
            name: "CCurses", cSettings: [.unsafeFlags(["-fvisibility=hidden"])],
            linkerSettings: [.linkedLibrary("ncursesw")]),
        .target(name: "AppScreens", dependencies: ["CCurses"] + all, packageAccess: false),
        .target(name: "AppHost", dependencies: ["AppScreens"] + all, packageAccess: false),
        .systemLibrary(name: "CLoadedFirst"),
        .executableTarget(
            name: "hostapp", dependencies: ["AppHost", "CLoadedFirst"],
            // The folder of the libraries that host and plugins share, relative to bin, so that build/ can be moved.
            linkerSettings: [.unsafeFlags(["-Xlinker", "-rpath", "-Xlinker", "$ORIGIN/../lib"])]),
    ]
)

// Common settings, checked by Tests/Architecture.
let settings: [SwiftSetting] = [.unsafeFlags(["@\(Context.packageDirectory)/../Packages/settings"])]
for target in package.targets where target.type != .system { target.swiftSettings = settings }
