// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "Runtime",
    products: [
        .library(name: "BundleFormat", targets: ["BundleFormat"]),
        .library(name: "HostSystem", targets: ["HostSystem"]),
        .library(name: "PluginRuntime", targets: ["PluginRuntime"]),
        .library(name: "Preflight", targets: ["Preflight"]),
        .library(name: "Registry", targets: ["Registry"]),
        .library(name: "Resolver", targets: ["Resolver"]),
        .library(name: "Trust", targets: ["Trust"]),
        .library(name: "Signing", targets: ["Signing"]),
    ],
    dependencies: [
        .package(path: "../Core"),
        .package(path: "../Router"),
        .package(path: "../SQLite"),
        .package(path: "../Zip"),
    ],
    targets: [
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .target(
            name: "CSystem",
            // A program that links this defines these functions for all libraries in its process, plugins included; without
            // the option the linker does not say so to the loader (CSystem/process_end.c).
            linkerSettings: [
                .unsafeFlags(
                    [
                        "exit", "quick_exit", "_exit", "_Exit", "execve", "execv", "fexecve", "execvpe", "execvp",
                        "execl",
                        "execle", "execlp",
                    ].flatMap { ["-Xlinker", "--export-dynamic-symbol=\($0)"] }, .when(platforms: [.linux]))
            ]
        ),
        .target(name: "Signing", dependencies: ["CCrypto"]),
        // The operating system: the only Swift target here that imports Glibc or CSystem.
        .target(
            name: "HostSystem", dependencies: ["CSystem", .product(name: "PluginCore", package: "Core")]
        ),
        // The choice of versions that fit together. No files and no database.
        .target(name: "Resolver", dependencies: [.product(name: "PluginCore", package: "Core")]),
        // The format of a bundle: manifest, seal and package.
        .target(
            name: "BundleFormat",
            dependencies: [
                "HostSystem",
                "Signing",
                .product(name: "PluginCore", package: "Core"),
                .product(name: "PluginRouter", package: "Router"),
                .product(name: "Zip", package: "Zip"),
            ]
        ),
        // The teams that may sign bundles, and the verification of seals.
        .target(
            name: "Trust",
            dependencies: [
                "BundleFormat",
                "HostSystem",
                "Signing",
                .product(name: "PluginCore", package: "Core"),
                .product(name: "PluginRouter", package: "Router"),
                .product(name: "Zip", package: "Zip"),
            ]
        ),
        // The checks of a library's file, before any of its code runs.
        .target(
            name: "Preflight",
            dependencies: [
                "BundleFormat",
                "HostSystem",
                .product(name: "PluginCore", package: "Core"),
                .product(name: "Zip", package: "Zip"),
            ]
        ),
        // The layout of a sandbox, and the database of installed bundles.
        .target(
            name: "Registry",
            dependencies: [
                "BundleFormat",
                "HostSystem",
                .product(name: "PluginCore", package: "Core"),
                .product(name: "PluginRouter", package: "Router"),
                .product(name: "SQLite", package: "SQLite"),
            ]
        ),
        .target(
            name: "PluginRuntime",
            dependencies: [
                "BundleFormat",
                "HostSystem",
                "Preflight",
                "Registry",
                "Resolver",
                "Signing",
                "Trust",
                .product(name: "PluginCore", package: "Core"),
                .product(name: "PluginRouter", package: "Router"),
                .product(name: "SQLite", package: "SQLite"),
                .product(name: "Zip", package: "Zip"),
            ]
        ),
        .testTarget(name: "HostSystemTests", dependencies: ["HostSystem"]),
        .testTarget(
            name: "ResolverTests", dependencies: ["Resolver", .product(name: "PluginCore", package: "Core")]
        ),
        .testTarget(name: "SigningTests", dependencies: ["Signing"]),
        .testTarget(
            name: "PluginRuntimeTests",
            dependencies: [
                "BundleFormat",
                "HostSystem",
                "PluginRuntime",
                "Preflight",
                "Registry",
                "Resolver",
                "Signing",
                "Trust",
                .product(name: "PluginCore", package: "Core"),
                .product(name: "PluginRouter", package: "Router"),
                .product(name: "SQLite", package: "SQLite"),
                .product(name: "Zip", package: "Zip"),
            ]
        ),
    ]
)

// Common settings: the same block in every Package.swift, checked by Tests/Architecture.
let commonSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),  // SE-0335
    .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
    .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),  // SE-0461
    .treatAllWarnings(as: .error),  // SE-0480
]
for target in package.targets where target.type != .system && target.type != .binary {
    target.swiftSettings = (target.swiftSettings ?? []) + commonSettings
}
