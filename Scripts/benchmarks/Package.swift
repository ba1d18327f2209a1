// swift-tools-version: 6.3
import PackageDescription

// The benchmarks of Scripts/bench, each of which measures a baseline in the same run.
let package = Package(
    name: "Benchmarks",
    products: [
        // The plugin on which verification is measured.
        .library(name: "LargePlugin", type: .dynamic, targets: ["LargePlugin"]),
        // The extension on which processes are measured.
        .library(name: "TrialExtension", type: .dynamic, targets: ["TrialExtension"]),
    ],
    dependencies: [
        .package(path: "../../Packages/Core"),
        .package(path: "../../Packages/Router"),
        .package(path: "../../Packages/Runtime"),
        .package(path: "../../Packages/TUF"),
        .package(path: "../../Packages/Zip"),
    ],
    targets: [
        // A plain dlopen, dlsym and call in C, and two processes that exchange messages.
        .target(name: "CBaseline"),
        // A program that links Foundation and does nothing.
        .executableTarget(name: "EmptyFoundation"),
        // A plugin whose library has about a megabyte.
        .target(name: "CLargeCode"),
        .target(
            name: "LargePlugin", dependencies: ["CLargeCode", .product(name: "PluginCore", package: "Core")],
            // Debug information would affect the load without being part of the measurement.
            linkerSettings: [.unsafeFlags(["-Xlinker", "--strip-debug"])]
        ),
        .target(name: "TrialExtension", dependencies: [.product(name: "PluginCore", package: "Core")]),
        .executableTarget(
            name: "Bench",
            dependencies: [
                "CBaseline",
                .product(name: "PluginCore", package: "Core"),
                .product(name: "PluginRouter", package: "Router"),
                .product(name: "PluginRuntime", package: "Runtime"),
                .product(name: "TUF", package: "TUF"),
                .product(name: "TestServer", package: "TUF"),
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
