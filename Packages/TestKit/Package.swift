// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "TestKit",
    products: [
        .library(name: "PluginTestKit", type: .dynamic, targets: ["PluginTestKit"])
    ],
    dependencies: [
        .package(path: "../Core"), .package(path: "../Router"), .package(path: "../Runtime"), .package(path: "../TUF"),
        .package(path: "../Zip"),
    ],
    targets: [
        // The parts of posix_spawn and of pseudo-terminals that Swift's Glibc module lacks.
        .target(name: "CProcess"),
        .target(
            name: "PluginTestKit",
            dependencies: [
                "CProcess", .product(name: "PluginCore", package: "Core"),
                .product(name: "PluginRouter", package: "Router"), .product(name: "PluginRuntime", package: "Runtime"),
                .product(name: "TUF", package: "TUF"), .product(name: "Zip", package: "Zip"),
            ]
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
