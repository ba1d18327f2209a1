// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "Tools",
    products: [
        .library(name: "Console", targets: ["Console"]),
        .library(name: "TerminalImages", targets: ["TerminalImages"]),
        .library(
            name: "BundleTool",
            targets: [
                "BundleTool", "CatalogPublisher", "PluginAuthoring", "PluginComponents", "PluginLint",
                "PluginValidation",
            ]),
        .executable(name: "bundletool", targets: ["bundletool"]),
    ],
    dependencies: [
        .package(path: "../Core"), .package(path: "../Router"), .package(path: "../Runtime"), .package(path: "../TUF"),
        .package(path: "../Zip"),
    ],
    targets: [
        .target(name: "Console", dependencies: [.product(name: "PluginCore", package: "Core")]),
        // libpng is opened with the first image.
        .target(name: "CTerminalImages", cSettings: [.unsafeFlags(["-fvisibility=hidden"])]),
        // PNG images as a terminal shows them.
        .target(name: "TerminalImages", dependencies: ["CTerminalImages"]),
        // Interfaces of plugins in catalogs and in authors' packages.
        .target(
            name: "PluginComponents",
            dependencies: [
                "Console", .product(name: "PluginCore", package: "Core"),
                .product(name: "PluginRuntime", package: "Runtime"), .product(name: "TUF", package: "TUF"),
                .product(name: "Zip", package: "Zip"),
            ]
        ),
        // Catalogs of packages: edit, sign and publish.
        .target(
            name: "CatalogPublisher",
            dependencies: [
                "Console", "PluginComponents", .product(name: "PluginCore", package: "Core"),
                .product(name: "PluginRuntime", package: "Runtime"), .product(name: "TUF", package: "TUF"),
                .product(name: "Zip", package: "Zip"),
            ]
        ),
        // New plugins, and the SDK that they are built with.
        .target(name: "PluginAuthoring", dependencies: ["Console", .product(name: "PluginCore", package: "Core")]),
        // The files that the code of a process changes, as the kernel sees it.
        .target(name: "CFileWrites"),
        // The checks of a built plugin's behavior.
        .target(
            name: "PluginValidation",
            dependencies: [
                "CFileWrites", "Console", .product(name: "PluginCore", package: "Core"),
                .product(name: "PluginRouter", package: "Router"), .product(name: "PluginRuntime", package: "Runtime"),
            ]
        ),
        // The rules of `bundletool lint`. No files and no processes.
        .target(
            name: "PluginLint",
            dependencies: [
                "Console", .product(name: "PluginCore", package: "Core"),
                .product(name: "PluginRouter", package: "Router"), .product(name: "PluginRuntime", package: "Runtime"),
            ]
        ),
        .target(
            name: "BundleTool",
            dependencies: [
                "CatalogPublisher", "Console", "PluginAuthoring", "PluginComponents", "PluginLint", "PluginValidation",
                .product(name: "PluginCore", package: "Core"), .product(name: "PluginRuntime", package: "Runtime"),
                .product(name: "TUF", package: "TUF"), .product(name: "Zip", package: "Zip"),
            ]
        ),
        .executableTarget(
            name: "bundletool",
            dependencies: ["BundleTool", "Console"],
            // The folder of the libraries that host and plugins share, relative to bin, so that build/ can be moved.
            linkerSettings: [.unsafeFlags(["-Xlinker", "-rpath", "-Xlinker", "$ORIGIN/../lib"])]
        ),
    ]
)

// Common settings: the same block in every Package.swift, checked by Tests/Architecture.
for target in package.targets where target.type != .system {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [.swiftLanguageMode(.v6)]
        + ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault"]
        .map { .enableUpcomingFeature($0) } + [.treatAllWarnings(as: .error)]
}
