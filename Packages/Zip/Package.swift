// swift-tools-version: 6.3

import PackageDescription

let package = Package(
    name: "Zip",
    // A dynamic library, because a process must have one copy of its types.
    products: [.library(name: "Zip", type: .dynamic, targets: ["Zip"])],
    dependencies: [.package(name: "HostSystem", path: "../System")],
    targets: [
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "Zip", dependencies: ["CZlib", "HostSystem"], packageAccess: false),
    ]
)

// Common settings, checked by Tests/Architecture.
let settings: [SwiftSetting] = [.unsafeFlags(["@\(Context.packageDirectory)/../settings"])]
for target in package.targets where target.type != .system { target.swiftSettings = settings }
