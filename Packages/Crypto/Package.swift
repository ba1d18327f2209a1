// swift-tools-version: 6.3
import PackageDescription

let core: Target.Dependency = .product(name: "PluginCore", package: "Core")

let package = Package(
    name: "Crypto",
    products: [
        .library(name: "Signing", type: .dynamic, targets: ["Signing"])
    ],
    dependencies: [.package(path: "../Core")],
    targets: [
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        // Keys and signatures.
        .target(name: "Signing", dependencies: ["CCrypto", core], packageAccess: false),
    ]
)

// The runtime and the packages around it share their `package` declarations, as one package of that name.
for target in package.targets where target.type != .system {
    target.swiftSettings = [.unsafeFlags(["-package-name", "runtime"])]
}

// Common settings: the same block in every Package.swift, checked by Tests/Architecture.
let names = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault"]
for target in package.targets where target.type != .system {
    target.swiftSettings =
        (target.swiftSettings ?? []) + names.map { .enableUpcomingFeature($0) } + [.treatAllWarnings(as: .error)]
}
