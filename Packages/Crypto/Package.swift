// swift-tools-version: 6.3
import PackageDescription

// The products that are used, with their packages.
let used: KeyValuePairs = ["PluginCore": "Core"]

let package = Package(
    name: "Crypto",
    products: [.library(name: "Signing", type: .dynamic, targets: ["LibCrypto", "Signing"])],
    dependencies: used.map { .package(name: $0, path: "../\($1)") },
    targets: [
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        // Digests, keys and signatures by libcrypto, which TUF uses, too.
        .target(name: "LibCrypto", dependencies: ["CCrypto"], packageAccess: false),
        // The keys and signatures of teams, in the formats of minisign and OpenSSL.
        .target(
            name: "Signing", dependencies: ["CCrypto", "LibCrypto"] + used.map { .byName(name: $0.key) },
            packageAccess: false),
    ]
)

// Common settings, checked by Tests/Architecture.
let settings: [SwiftSetting] = [.unsafeFlags(["@\(Context.packageDirectory)/../settings"])]
for target in package.targets where target.type != .system { target.swiftSettings = settings }
