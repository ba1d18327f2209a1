// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "PluginExtension",
    // A dynamic library, because the process of an extension must have one copy of its types.
    products: [.library(name: "PluginExtension", type: .dynamic, targets: ["PluginExtension"])],
    dependencies: [.package(path: "../Core")],
    targets: [
        // Like Core, a newer one works with extensions that were built against an older one of the same ABI version.
        .target(
            name: "PluginExtension", dependencies: [.product(name: "PluginCore", package: "Core")],
            swiftSettings: [.unsafeFlags(["-enable-library-evolution", "-no-verify-emitted-module-interface"])])
    ]
)

// Common settings: the same block in every Package.swift, checked by Tests/Architecture.
let names = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault"]
let all = names.map { SwiftSetting.enableUpcomingFeature($0) } + [.treatAllWarnings(as: .error)]
for target in package.targets where target.type != .system { target.swiftSettings = (target.swiftSettings ?? []) + all }
