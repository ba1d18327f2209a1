// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "Router",
    products: [
        // A dynamic library, because a process must have one copy of its types.
        .library(name: "PluginRouter", type: .dynamic, targets: ["PluginRouter", "Tracing"])
    ],
    dependencies: [
        .package(path: "../Core")
    ],
    targets: [
        // The marks of intervals of work, which a host can record.
        .target(name: "Tracing"),
        .target(name: "PluginRouter", dependencies: ["Tracing", .product(name: "PluginCore", package: "Core")]),
        .testTarget(
            name: "PluginRouterTests",
            dependencies: ["PluginRouter", "Tracing", .product(name: "PluginCore", package: "Core")],
            exclude: ["Fixtures"]
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
