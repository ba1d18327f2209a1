// swift-tools-version: 6.3
import PackageDescription

let system: Target.Dependency = .product(name: "HostSystem", package: "System")
let core: Target.Dependency = .product(name: "PluginCore", package: "Core")
let router: Target.Dependency = .product(name: "PluginRouter", package: "Router")

let package = Package(
    name: "Runtime",
    products: [
        .library(name: "PluginRuntime", type: .dynamic, targets: ["BundleFormat", "PluginRuntime", "Registry"])
    ],
    dependencies: ["../Core", "../Router", "../SQLite", "../System", "../Zip"].map { .package(path: $0) },
    targets: [
        .systemLibrary(name: "CDigest", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        // The format of a bundle: manifest, seal and package.
        .target(name: "BundleFormat", dependencies: ["CDigest", system, core, router, "Zip"]),
        // The layout of a sandbox, and the database of installed bundles.
        .target(name: "Registry", dependencies: ["BundleFormat", system, core, router, "SQLite"]),
        // Install, load, activate, crash recovery. What is not owned here is asked through ports.
        .target(name: "PluginRuntime", dependencies: ["BundleFormat", "Registry", system, core, router]),
    ]
)

// Common settings: the same block in every Package.swift, checked by Tests/Architecture.
let names = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault"]
let all = names.map { SwiftSetting.enableUpcomingFeature($0) } + [.treatAllWarnings(as: .error)]
for target in package.targets where target.type != .system { target.swiftSettings = (target.swiftSettings ?? []) + all }
