// swift-tools-version: 6.3
import PackageDescription

// The products that are used, with their packages.
let used: KeyValuePairs = ["PluginCore": "Core"]

let package = Package(
    name: "Crypto",
    products: [.library(name: "Signing", type: .dynamic, targets: ["Signing"])],
    dependencies: used.map { .package(path: "../\($1)") },
    targets: [
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        // Keys and signatures.
        .target(
            name: "Signing", dependencies: ["CCrypto"] + used.map { .product(name: $0, package: $1) },
            packageAccess: false, swiftSettings: [.unsafeFlags(["-package-name", "runtime"])]),
    ]
)

// Common settings: the same block in every Package.swift, checked by Tests/Architecture.
let names = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault"]
let all = names.map { SwiftSetting.enableUpcomingFeature($0) } + [.treatAllWarnings(as: .error)]
for target in package.targets where target.type != .system { target.swiftSettings = (target.swiftSettings ?? []) + all }
