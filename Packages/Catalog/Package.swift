// swift-tools-version: 6.3
import PackageDescription

// The products that are used, with their packages.
let used: KeyValuePairs = [
    "PluginCore": "Core", "Signing": "Crypto", "PageLayouts": "PageLayouts", "PluginRouter": "Router",
    "PluginRuntime": "Runtime", "HostSystem": "System", "TUF": "TUF", "Zip": "Zip",
]
let all = used.map { Target.Dependency.byName(name: $0.key) }

let package = Package(
    name: "Catalog",
    products: [
        .library(
            name: "RemoteCatalog", type: .dynamic,
            targets: ["CatalogFormat", "Deltas", "PluginCatalog", "RemoteCatalog"])
    ],
    dependencies: used.map { .package(name: $0, path: "../\($1)") },
    targets: [
        // The format of a catalog's targets, for hosts and publishers. No files of a repository and no network.
        .target(name: "CatalogFormat", dependencies: all, packageAccess: false),
        .target(
            name: "CDelta", cSettings: [.unsafeFlags(["-fvisibility=hidden"])],
            linkerSettings: [.linkedLibrary("zstd")]),
        // Differences between versions of a package.
        .target(name: "Deltas", dependencies: ["CDelta"] + all, packageAccess: false),
        // Several sources of packages as one, and the questions to those that have to be fetched.
        .target(name: "PluginCatalog", dependencies: ["CatalogFormat"] + all, packageAccess: false),
        // The catalog on a server, protected by The Update Framework.
        .target(
            name: "RemoteCatalog", dependencies: ["CatalogFormat", "Deltas", "PluginCatalog"] + all,
            packageAccess: false),
    ]
)

// Common settings, checked by Tests/Architecture.
for target in package.targets { target.swiftSettings = [.unsafeFlags(["@\(Context.packageDirectory)/../settings"])] }
