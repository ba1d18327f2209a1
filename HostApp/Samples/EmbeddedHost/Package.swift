// swift-tools-version: 6.3
import PackageDescription

// "bundletool build" tells the compiler where the SDK is, so no path and no unsafe flag is needed here.
let package = Package(
    name: "EmbeddedHost",
    targets: [
        .executableTarget(
            name: "EmbeddedHost",
            linkerSettings: ["PluginCore", "PluginRouter", "PluginRuntime"].map { .linkedLibrary($0) })
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
