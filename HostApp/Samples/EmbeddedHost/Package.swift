// swift-tools-version: 6.3
import PackageDescription

// "bundletool build" tells the compiler where the SDK is, so no path and no unsafe flag is needed here.
let package = Package(
    name: "EmbeddedHost",
    targets: [
        .executableTarget(
            name: "EmbeddedHost",
            linkerSettings: [
                "HostSystem", "PluginCore", "PluginRouter", "PluginRuntime", "Processes", "RemoteCatalog", "Trust",
            ].map { .linkedLibrary($0) })
    ]
)

// Common settings: the same block in every Package.swift, checked by Tests/Architecture.
let names = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault"]
let all = names.map { SwiftSetting.enableUpcomingFeature($0) } + [.treatAllWarnings(as: .error)]
for target in package.targets where target.type != .system { target.swiftSettings = (target.swiftSettings ?? []) + all }
