// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "HostApp",
    products: [
        .library(name: "AppHost", targets: ["AppHost"]),
        .executable(name: "hostapp", targets: ["hostapp"]),
    ],
    dependencies: [
        .package(path: "../Packages/Core"),
        .package(path: "../Packages/Router"),
        .package(path: "../Packages/Runtime"),
        .package(path: "../Packages/Tools"),
        .package(path: "../Packages/Zip"),
    ],
    targets: [
        .target(
            name: "AppHost",
            dependencies: [
                .product(name: "Console", package: "Tools"),
                .product(name: "PluginCore", package: "Core"),
                .product(name: "PluginRouter", package: "Router"),
                .product(name: "PluginRuntime", package: "Runtime"),
            ]
        ),
        .executableTarget(
            name: "hostapp",
            dependencies: ["AppHost"],
            // The folder of the libraries that host and plugins share, relative to bin, so that build/ can be moved.
            linkerSettings: [.unsafeFlags(["-Xlinker", "-rpath", "-Xlinker", "$ORIGIN/../lib"])]
        ),
        .testTarget(
            name: "AppHostTests",
            dependencies: [
                "AppHost",
                .product(name: "Console", package: "Tools"),
                .product(name: "PluginCore", package: "Core"),
                .product(name: "PluginRouter", package: "Router"),
                .product(name: "PluginRuntime", package: "Runtime"),
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
