// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "Router",
    // A dynamic library, because a process must have one copy of its types.
    products: [.library(name: "PluginRouter", type: .dynamic, targets: ["PluginRouter", "Tracing"])],
    dependencies: [.package(path: "../Core")],
    targets: [
        // The marks of intervals of work, which a host can record.
        .target(name: "Tracing"),
        .target(
            name: "PluginRouter", dependencies: ["Tracing", .product(name: "PluginCore", package: "Core")],
            // The runtime and the packages around it share their `package` declarations, as one package of that name.
            packageAccess: false, swiftSettings: [.unsafeFlags(["-package-name", "runtime"])]),
    ]
)

// Common settings: the same block in every Package.swift, checked by Tests/Architecture.
let names = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault"]
let all = names.map { SwiftSetting.enableUpcomingFeature($0) } + [.treatAllWarnings(as: .error)]
for target in package.targets where target.type != .system { target.swiftSettings = (target.swiftSettings ?? []) + all }
