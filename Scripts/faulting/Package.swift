// swift-tools-version: 6.3
import PackageDescription

// The program of Scripts/faults, which runs the fault harness of TestKit on a build. The root's Package.swift declares it again.
let package = Package(
    name: "Faulting",
    dependencies: [
        .package(path: "../../Packages/Core"),
        .package(path: "../../Packages/TestKit"),
    ],
    targets: [
        .executableTarget(
            name: "Faults",
            dependencies: [
                .product(name: "PluginCore", package: "Core"),
                .product(name: "PluginTestKit", package: "TestKit"),
            ]
        )
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
