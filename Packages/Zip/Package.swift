// swift-tools-version: 6.3

import PackageDescription

let package = Package(
    name: "Zip",
    // A dynamic library, because a process must have one copy of its types.
    products: [.library(name: "Zip", type: .dynamic, targets: ["Zip"])],
    dependencies: [.package(path: "../System")],
    targets: [
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(
            name: "Zip", dependencies: ["CZlib", .product(name: "HostSystem", package: "System")], packageAccess: false,
            swiftSettings: [.unsafeFlags(["-package-name", "runtime"])]),
    ]
)

// Common settings: the same block in every Package.swift, checked by Tests/Architecture.
let names = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault"]
let all = names.map { SwiftSetting.enableUpcomingFeature($0) } + [.treatAllWarnings(as: .error)]
for target in package.targets where target.type != .system { target.swiftSettings = (target.swiftSettings ?? []) + all }
