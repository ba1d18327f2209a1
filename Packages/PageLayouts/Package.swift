// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "PageLayouts",
    products: [
        // A dynamic library, because host and plugins must have one copy of its types.
        .library(name: "PageLayouts", type: .dynamic, targets: ["PageLayouts"])
    ],
    dependencies: [.package(path: "../Core")],
    targets: [
        // Like Core, a newer one works with plugins that were built against an older one of the same ABI version.
        .target(
            name: "PageLayouts", dependencies: [.product(name: "PluginCore", package: "Core")],
            swiftSettings: [.unsafeFlags(["-enable-library-evolution", "-no-verify-emitted-module-interface"])])
    ]
)

// Common settings: the same block in every Package.swift, checked by Tests/Architecture.
let names = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault"]
let all = names.map { SwiftSetting.enableUpcomingFeature($0) } + [.treatAllWarnings(as: .error)]
for target in package.targets where target.type != .system { target.swiftSettings = (target.swiftSettings ?? []) + all }
