// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "SQLite",
    products: [
        // A dynamic library, because host and plugins must share a single copy in the process.
        .library(name: "SQLite", type: .dynamic, targets: ["SQLite"])
    ],
    targets: [
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .target(
            name: "SQLite",
            dependencies: ["CSQLite"],
            // A plugin built against an older version of this module must work with a newer one.
            swiftSettings: [.unsafeFlags(["-enable-library-evolution"])]
        ),
        .testTarget(name: "SQLiteTests", dependencies: ["SQLite"]),
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
