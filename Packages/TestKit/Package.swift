// swift-tools-version: 6.3
import PackageDescription

// The products that are used, with their packages.
let used: KeyValuePairs = [
    "Authoring": "Authoring", "PluginCore": "Core", "Signing": "Crypto", "ExtensionHost": "Extensions",
    "PageLayouts": "PageLayouts", "PluginExtension": "PluginExtension", "Processes": "Processes",
    "PluginRouter": "Router", "PluginRuntime": "Runtime", "HostSystem": "System", "Trust": "Trust", "Zip": "Zip",
]

let package = Package(
    name: "TestKit",
    products: [.library(name: "PluginTestKit", type: .dynamic, targets: ["PluginTestKit"])],
    dependencies: used.map { .package(path: "../\($1)") },
    targets: [
        // A host, catalogs and fakes for the tests of plugins.
        .target(
            name: "PluginTestKit", dependencies: used.map { .product(name: $0, package: $1) }, packageAccess: false,
            swiftSettings: [.unsafeFlags(["-package-name", "runtime"])])
    ]
)

// Common settings: the same block in every Package.swift, checked by Tests/Architecture.
let names = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault"]
let all = names.map { SwiftSetting.enableUpcomingFeature($0) } + [.treatAllWarnings(as: .error)]
for target in package.targets where target.type != .system { target.swiftSettings = (target.swiftSettings ?? []) + all }
