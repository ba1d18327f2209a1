// swift-tools-version: 6.3
import PackageDescription

// The programs of Scripts/fuzz, which run libFuzzer on readers of untrusted files. They link only with its sanitizer, so the root's
// Package.swift declares them again, as libraries.
let package = Package(
    name: "Fuzzing",
    dependencies: [
        .package(path: "../../Packages/Core"),
        .package(path: "../../Packages/Runtime"),
        .package(path: "../../Packages/Zip"),
    ],
    targets: [
        .executableTarget(
            name: "ProtocolFuzz",
            dependencies: [
                .product(name: "PluginCore", package: "Core"), .product(name: "PluginRuntime", package: "Runtime"),
            ],
            // The protocol's declarations are those of the package Runtime.
            packageAccess: false,
            swiftSettings: [.unsafeFlags(["-parse-as-library", "-package-name", "runtime"])],
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer"])]
        ),
        .executableTarget(
            name: "ZipFuzz",
            dependencies: [.product(name: "Zip", package: "Zip")],
            // The sanitizer's library contains the `main` function.
            swiftSettings: [.unsafeFlags(["-parse-as-library"])],
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer"])]
        ),
        .executableTarget(
            name: "LibraryFuzz",
            dependencies: [.product(name: "PluginRuntime", package: "Runtime")],
            swiftSettings: [.unsafeFlags(["-parse-as-library"])],
            linkerSettings: [.unsafeFlags(["-sanitize=fuzzer"])]
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
