// swift-tools-version: 6.3
import PackageDescription

let system: Target.Dependency = .product(name: "HostSystem", package: "System")
let core: Target.Dependency = .product(name: "PluginCore", package: "Core")
let sqlite: Target.Dependency = .product(name: "SQLite", package: "SQLite")
let runtime: Target.Dependency = .product(name: "PluginRuntime", package: "Runtime")

let package = Package(
    name: "Diagnosis",
    products: [
        .library(name: "Doctor", type: .dynamic, targets: ["Doctor"])
    ],
    dependencies: ["../Core", "../Runtime", "../SQLite", "../System"].map { .package(path: $0) },
    targets: [
        // The checks of a sandbox, and the rebuilding of a lost registry.
        .target(name: "Doctor", dependencies: [system, core, runtime, sqlite], packageAccess: false)
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
