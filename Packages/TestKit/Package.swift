// swift-tools-version: 6.3
import PackageDescription

let authoring: Target.Dependency = .product(name: "Authoring", package: "Authoring")
let core: Target.Dependency = .product(name: "PluginCore", package: "Core")
let crypto: Target.Dependency = .product(name: "Signing", package: "Crypto")
let router: Target.Dependency = .product(name: "PluginRouter", package: "Router")
let runtime: Target.Dependency = .product(name: "PluginRuntime", package: "Runtime")
let system: Target.Dependency = .product(name: "HostSystem", package: "System")
let trust: Target.Dependency = .product(name: "Trust", package: "Trust")
let zip: Target.Dependency = .product(name: "Zip", package: "Zip")

let package = Package(
    name: "TestKit",
    products: [
        .library(name: "PluginTestKit", type: .dynamic, targets: ["PluginTestKit"])
    ],
    dependencies: [
        "Authoring", "Core", "Crypto", "Router", "Runtime", "System", "Trust", "Zip",
    ].map { .package(path: "../\($0)") },
    targets: [
        // The parts of posix_spawn and of pseudo-terminals that Swift's Glibc module lacks.
        .target(name: "CProcess"),
        .target(
            name: "PluginTestKit",
            dependencies: ["CProcess", authoring, core, crypto, router, runtime, system, trust, zip]
        ),
    ]
)

// Common settings: the same block in every Package.swift, checked by Tests/Architecture.
let names = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault"]
for target in package.targets where target.type != .system {
    target.swiftSettings =
        (target.swiftSettings ?? []) + names.map { .enableUpcomingFeature($0) } + [.treatAllWarnings(as: .error)]
}
