// swift-tools-version: 6.3
import PackageDescription

let core: Target.Dependency = .product(name: "PluginCore", package: "Core")
let runtime: Target.Dependency = .product(name: "PluginRuntime", package: "Runtime")

let package = Package(
    name: "Resolver",
    products: [
        .library(name: "Resolver", type: .dynamic, targets: ["Resolver"])
    ],
    dependencies: [.package(path: "../Core"), .package(path: "../Runtime")],
    targets: [
        // The choice of versions that fit together. No files and no database.
        .target(name: "Resolver", dependencies: [core, runtime], packageAccess: false)
    ]
)

// The runtime and the packages around it share their `package` declarations, as one package of that name.
for target in package.targets where target.type != .system {
    target.swiftSettings = [.unsafeFlags(["-package-name", "runtime"])]
}

// Common settings: the same block in every Package.swift, checked by Tests/Architecture.
for target in package.targets where target.type != .system {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [.swiftLanguageMode(.v6)]
        + ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault"]
        .map { .enableUpcomingFeature($0) } + [.treatAllWarnings(as: .error)]
}
