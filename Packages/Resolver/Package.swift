// swift-tools-version: 6.3
import PackageDescription

let core: Target.Dependency = .product(name: "PluginCore", package: "Core")
let system: Target.Dependency = .product(name: "HostSystem", package: "System")
let runtime: Target.Dependency = .product(name: "PluginRuntime", package: "Runtime")

let package = Package(
    name: "Resolver",
    products: [
        .library(name: "Resolver", type: .dynamic, targets: ["Resolver"])
    ],
    dependencies: ["../Core", "../Runtime", "../System"].map { .package(path: $0) },
    targets: [
        // The choice of versions that fit together, and the lock of an app, which keeps to such a choice.
        .target(name: "Resolver", dependencies: [core, runtime, system], packageAccess: false)
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
