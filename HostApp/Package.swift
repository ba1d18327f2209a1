// swift-tools-version: 6.3
import PackageDescription

let catalog: Target.Dependency = .product(name: "RemoteCatalog", package: "Catalog")
let core: Target.Dependency = .product(name: "PluginCore", package: "Core")
let crypto: Target.Dependency = .product(name: "Signing", package: "Crypto")
let diagnosis: Target.Dependency = .product(name: "Doctor", package: "Diagnosis")
let extensions: Target.Dependency = .product(name: "ExtensionHost", package: "Extensions")
let router: Target.Dependency = .product(name: "PluginRouter", package: "Router")
let runtime: Target.Dependency = .product(name: "PluginRuntime", package: "Runtime")
let system: Target.Dependency = .product(name: "HostSystem", package: "System")
let console: Target.Dependency = .product(name: "Console", package: "Tools")
let images: Target.Dependency = .product(name: "TerminalImages", package: "Tools")

let package = Package(
    name: "HostApp",
    products: [
        .library(name: "AppHost", targets: ["AppHost", "AppScreens", "SystemLinks", "TerminalScreen"]),
        .executable(name: "hostapp", targets: ["hostapp"]),
    ],
    dependencies: [
        "Catalog", "Core", "Crypto", "Diagnosis", "Extensions", "PageLayouts", "PluginExtension", "Preflight",
        "Processes",
        "Resolver", "Router", "Runtime", "System", "Tools", "Trust",
    ].map { .package(path: "../Packages/\($0)") },
    targets: [
        // The links that leave an app for the system.
        .target(name: "SystemLinks", dependencies: ["Processes", core, router, system], packageAccess: false),
        .target(
            name: "CCurses", cSettings: [.unsafeFlags(["-fvisibility=hidden"])],
            linkerSettings: [.linkedLibrary("ncursesw")]),
        .target(name: "TerminalScreen", dependencies: ["CCurses", console, core], packageAccess: false),
        .target(name: "AppScreens", dependencies: ["TerminalScreen", core, images, console], packageAccess: false),
        .target(
            name: "AppHost",
            dependencies: [
                "AppScreens", "PageLayouts", "PluginExtension", "Preflight", "Processes", "Resolver", "SystemLinks",
                "TerminalScreen", "Trust", catalog, console, core, crypto, diagnosis, extensions, images, router,
                runtime, system,
            ], packageAccess: false),
        .systemLibrary(name: "CLoadedFirst"),
        .executableTarget(
            name: "hostapp", dependencies: ["AppHost", "CLoadedFirst"],
            // The folder of the libraries that host and plugins share, relative to bin, so that build/ can be moved.
            linkerSettings: [.unsafeFlags(["-Xlinker", "-rpath", "-Xlinker", "$ORIGIN/../lib"])]),
    ]
)

// The runtime, the packages around it and this one share their `package` declarations, as one package of that name.
for target in package.targets where target.type == .regular {
    target.swiftSettings = [.unsafeFlags(["-package-name", "runtime"])]
}

// Common settings: the same block in every Package.swift, checked by Tests/Architecture.
let names = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault"]
let all = names.map { SwiftSetting.enableUpcomingFeature($0) } + [.treatAllWarnings(as: .error)]
for target in package.targets where target.type != .system { target.swiftSettings = (target.swiftSettings ?? []) + all }
