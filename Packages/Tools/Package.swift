// swift-tools-version: 6.3
import PackageDescription

let catalog: Target.Dependency = .product(name: "RemoteCatalog", package: "Catalog")
let core: Target.Dependency = .product(name: "PluginCore", package: "Core")
let crypto: Target.Dependency = .product(name: "Signing", package: "Crypto")
let extensions: Target.Dependency = .product(name: "ExtensionHost", package: "Extensions")
let router: Target.Dependency = .product(name: "PluginRouter", package: "Router")
let runtime: Target.Dependency = .product(name: "PluginRuntime", package: "Runtime")
let system: Target.Dependency = .product(name: "HostSystem", package: "System")

let package = Package(
    name: "Tools",
    products: [
        .library(name: "Console", targets: ["Console"]),
        .library(name: "TerminalImages", targets: ["TerminalImages"]),
        .library(name: "BundleTool", targets: ["BundleTool", "CatalogPublisher", "PluginLint", "PluginValidation"]),
        .executable(name: "bundletool", targets: ["bundletool"]),
    ],
    dependencies: [
        "Authoring", "Catalog", "Core", "Crypto", "Extensions", "PageLayouts", "PluginExtension", "Preflight",
        "Processes", "Resolver", "Router", "Runtime", "System", "TUF", "Trust", "Zip",
    ].map { .package(path: "../\($0)") },
    targets: [
        .target(name: "Console", dependencies: ["PluginExtension", core], packageAccess: false),
        // The header of libpng, which is opened with the first image.
        .systemLibrary(name: "CTerminalImages"),
        // PNG images as a terminal shows them.
        .target(name: "TerminalImages", dependencies: ["CTerminalImages"]),
        // Catalogs of packages and Interfaces: edit, sign and publish.
        .target(
            name: "CatalogPublisher",
            dependencies: [
                "Authoring", "Console", "TUF", "Trust", "Zip", catalog, core, crypto, extensions, runtime, system,
            ], packageAccess: false),
        // The files that the code of a process changes, as the kernel sees it.
        .target(name: "CObservedWrites"),
        // The checks of a built plugin's behavior.
        .target(
            name: "PluginValidation",
            dependencies: [
                "Authoring", "CObservedWrites", "Console", "PageLayouts", "PluginExtension", "Preflight", "Processes",
                "Resolver", "Trust", core, crypto, extensions, router, runtime, system,
            ], packageAccess: false),
        // The rules of `bundletool lint`. No files and no processes.
        .target(
            name: "PluginLint",
            dependencies: [
                "Authoring", "Console", "PageLayouts", "PluginExtension", "Preflight", catalog, core, extensions,
                router,
            ], packageAccess: false),
        .target(
            name: "BundleTool",
            dependencies: [
                "Authoring", "CatalogPublisher", "Console", "PageLayouts", "PluginExtension", "PluginLint",
                "PluginValidation", "Preflight", "Processes", "TUF", "Trust", "Zip", catalog, core, crypto, extensions,
                runtime, system,
            ], packageAccess: false),
        .executableTarget(
            name: "bundletool", dependencies: ["BundleTool", "Console"],
            // The folder of the libraries that host and plugins share, relative to bin, so that build/ can be moved.
            linkerSettings: [.unsafeFlags(["-Xlinker", "-rpath", "-Xlinker", "$ORIGIN/../lib"])]),
    ]
)

// The tools share the `package` declarations of the runtime and of the packages around it, as one package of that name.
for target in package.targets where target.type != .system && !target.packageAccess {
    target.swiftSettings = [.unsafeFlags(["-package-name", "runtime"])]
}

// Common settings: the same block in every Package.swift, checked by Tests/Architecture.
let names = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault"]
let all = names.map { SwiftSetting.enableUpcomingFeature($0) } + [.treatAllWarnings(as: .error)]
for target in package.targets where target.type != .system { target.swiftSettings = (target.swiftSettings ?? []) + all }
