// swift-tools-version: 6.3
import PackageDescription

let core: Target.Dependency = .product(name: "PluginCore", package: "Core")

let package = Package(
    name: "System",
    products: [.library(name: "HostSystem", type: .dynamic, targets: ["HostSystem"])],
    dependencies: [.package(path: "../Core")],
    targets: [
        // Plugins must not find these functions, except for those that crash_lines.h marks.
        .target(name: "CSystem", cSettings: [.unsafeFlags(["-fvisibility=hidden"])]),
        // The operating system: the only Swift target of the runtime and its layers that imports Glibc or CSystem.
        .target(name: "HostSystem", dependencies: ["CSystem", core], packageAccess: false),
    ]
)

// The runtime and the packages around it share their `package` declarations, as one package of that name.
for target in package.targets { target.swiftSettings = [.unsafeFlags(["-package-name", "runtime"])] }

// Common settings: the same block in every Package.swift, checked by Tests/Architecture.
let names = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault"]
let all = names.map { SwiftSetting.enableUpcomingFeature($0) } + [.treatAllWarnings(as: .error)]
for target in package.targets where target.type != .system { target.swiftSettings = (target.swiftSettings ?? []) + all }
