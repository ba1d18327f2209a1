// swift-tools-version: 6.3

import PackageDescription

let package = Package(
    name: "Zip",
    products: [
        // A dynamic library, because a process must have one copy of its types.
        .library(name: "Zip", type: .dynamic, targets: ["Zip"])
    ],
    targets: [
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(
            name: "CFileSystem",
            // Plugins must not find these functions.
            cSettings: [.unsafeFlags(["-fvisibility=hidden"])]
        ),
        .target(name: "Zip", dependencies: ["CFileSystem", "CZlib"]),
    ]
)

// Common settings: the same block in every Package.swift, checked by Tests/Architecture.
let names = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault"]
let all = names.map { SwiftSetting.enableUpcomingFeature($0) } + [.treatAllWarnings(as: .error)]
for target in package.targets where target.type != .system { target.swiftSettings = (target.swiftSettings ?? []) + all }
