// swift-tools-version: 6.3
import PackageDescription

let system: Target.Dependency = .product(name: "HostSystem", package: "System")
let core: Target.Dependency = .product(name: "PluginCore", package: "Core")
let router: Target.Dependency = .product(name: "PluginRouter", package: "Router")
let runtime: Target.Dependency = .product(name: "PluginRuntime", package: "Runtime")
let crypto: Target.Dependency = .product(name: "Signing", package: "Crypto")

let package = Package(
    name: "Catalog",
    products: [
        .library(
            name: "RemoteCatalog", type: .dynamic,
            targets: ["CatalogFormat", "Deltas", "PluginCatalog", "RemoteCatalog"])
    ],
    dependencies: ["Core", "Crypto", "Router", "Runtime", "System", "TUF", "Zip"].map { .package(path: "../\($0)") },
    targets: [
        // The format of a catalog's targets, for hosts and publishers. No files of a repository and no network.
        .target(name: "CatalogFormat", dependencies: [core, router, runtime, "TUF"], packageAccess: false),
        .target(
            name: "CDelta", cSettings: [.unsafeFlags(["-fvisibility=hidden"])],
            linkerSettings: [.linkedLibrary("zstd")]),
        // Differences between versions of a package.
        .target(name: "Deltas", dependencies: ["CDelta", crypto, system, "Zip"], packageAccess: false),
        // Several sources of packages as one, and the questions to those that have to be fetched.
        .target(
            name: "PluginCatalog", dependencies: ["CatalogFormat", system, core, router, runtime], packageAccess: false),
        // The catalog on a server, protected by The Update Framework.
        .target(
            name: "RemoteCatalog",
            dependencies: ["CatalogFormat", "Deltas", "PluginCatalog", system, core, router, runtime, "TUF"],
            packageAccess: false),
    ]
)

// The runtime and the packages around it share their `package` declarations, as one package of that name.
for target in package.targets { target.swiftSettings = [.unsafeFlags(["-package-name", "runtime"])] }

// Common settings: the same block in every Package.swift, checked by Tests/Architecture.
let names = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault"]
let all = names.map { SwiftSetting.enableUpcomingFeature($0) } + [.treatAllWarnings(as: .error)]
for target in package.targets where target.type != .system { target.swiftSettings = (target.swiftSettings ?? []) + all }
