// swift-tools-version: 6.3
import PackageDescription

// The workspace: pulls the local packages together and owns the tests that only the whole can pass. No product code.
let package = Package(
    name: "Atrium",
    dependencies: [
        .package(path: "Packages/Core"),
        .package(path: "Packages/TestKit"),
        .package(path: "Packages/Tools"),
        .package(path: "HostApp"),
        .package(path: "Plugins/Account"),
        .package(path: "Plugins/Money"),
        .package(path: "Plugins/Orders"),
        .package(path: "Plugins/Shop"),
    ],
    targets: [
        .testTarget(
            name: "EndToEnd",
            dependencies: [
                .product(name: "PluginTestKit", package: "TestKit"),
                .product(name: "PluginCore", package: "Core"),
            ],
            path: "Tests/EndToEnd"
        ),
        .testTarget(name: "Architecture", path: "Tests/Architecture"),
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
