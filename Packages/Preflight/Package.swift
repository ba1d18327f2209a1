// swift-tools-version: 6.3
import PackageDescription

let system: Target.Dependency = .product(name: "HostSystem", package: "System")
let core: Target.Dependency = .product(name: "PluginCore", package: "Core")
let runtime: Target.Dependency = .product(name: "PluginRuntime", package: "Runtime")
let zip: Target.Dependency = .product(name: "Zip", package: "Zip")

let package = Package(
    name: "Preflight",
    products: [
        .library(name: "Preflight", type: .dynamic, targets: ["Preflight"])
    ],
    dependencies: ["../Core", "../Runtime", "../System", "../Zip"].map { .package(path: $0) },
    targets: [
        // The checks of a library's file, before any of its code runs.
        .target(name: "Preflight", dependencies: [system, core, runtime, zip], packageAccess: false)
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
