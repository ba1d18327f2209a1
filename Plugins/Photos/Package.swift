// swift-tools-version: 6.3
import PackageDescription

let core: Target.Dependency = .product(name: "PluginCore", package: "Core")
let extensions: Target.Dependency = .product(name: "PluginExtension", package: "PluginExtension")

// Hosts do not offer libpng, so the extension contains it.
let contained = ["-l:libpng16.a", "-l:libz.a", "--exclude-libs=ALL", "--wrap=stderr"]

let package = Package(
    name: "Photos",
    products: [
        // The static library that other plugins link, with names but no code of the plugin.
        .library(name: "PhotosInterface", type: .static, targets: ["PhotosInterface"]),
        // The library that the host loads.
        .library(name: "Photos", type: .dynamic, targets: ["Photos"]),
        // The library of the editor, which runs in a process of its own.
        .library(name: "PhotosEditor", type: .dynamic, targets: ["PhotosEditor"]),
    ],
    dependencies: [.package(path: "../../Packages/Core"), .package(path: "../../Packages/PluginExtension")],
    targets: [
        .target(name: "PhotosInterface", dependencies: [core]),
        // The header of libpng, from the Debian package libpng-dev.
        .target(name: "CPNG"),
        .target(name: "Photos", dependencies: ["PhotosInterface", core]),
        .target(
            name: "PhotosEditor", dependencies: ["CPNG", core, extensions],
            linkerSettings: [.unsafeFlags(contained.flatMap { ["-Xlinker", $0] })]),
    ]
)

// Common settings: the same in every plugin, checked by Tests/Architecture.
let names = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault"]
let all = names.map { SwiftSetting.enableUpcomingFeature($0) } + [.treatAllWarnings(as: .error)]
for target in package.targets where target.type != .system { target.swiftSettings = (target.swiftSettings ?? []) + all }
