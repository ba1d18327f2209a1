// swift-tools-version: 6.3
import PackageDescription

let system: Target.Dependency = .product(name: "HostSystem", package: "System")
let core: Target.Dependency = .product(name: "PluginCore", package: "Core")
let router: Target.Dependency = .product(name: "PluginRouter", package: "Router")
let runtime: Target.Dependency = .product(name: "PluginRuntime", package: "Runtime")
let crypto: Target.Dependency = .product(name: "Signing", package: "Crypto")
let zip: Target.Dependency = .product(name: "Zip", package: "Zip")

let package = Package(
    name: "Authoring",
    products: [
        .library(name: "Authoring", type: .dynamic, targets: ["Authoring"])
    ],
    dependencies: ["../Core", "../Crypto", "../Router", "../Runtime", "../System", "../Zip"].map { .package(path: $0) },
    targets: [
        // What bundletool makes of a plugin: the complete manifest, the seal, and the package.
        .target(name: "Authoring", dependencies: [system, core, router, runtime, crypto, zip], packageAccess: false)
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
