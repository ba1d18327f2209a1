// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "SQLite",
    // A dynamic library, because host and plugins must share a single copy in the process.
    products: [.library(name: "SQLite", type: .dynamic, targets: ["SQLite"])],
    targets: [
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        // A plugin built against an older version of this module must work with a newer one.
        .target(
            name: "SQLite", dependencies: ["CSQLite"],
            swiftSettings: [.unsafeFlags(["-enable-library-evolution"])]),
    ]
)

// Common settings, checked by Tests/Architecture.
for each in package.targets { each.swiftSettings?.append(.unsafeFlags(["@\(Context.packageDirectory)/../settings"])) }
