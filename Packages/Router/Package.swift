// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "Router",
    // A dynamic library, because a process must have one copy of its types.
    products: [.library(name: "PluginRouter", type: .dynamic, targets: ["PluginRouter", "Tracing"])],
    dependencies: [.package(name: "PluginCore", path: "../Core")],
    targets: [
        // The marks of intervals of work, which a host can record.
        .target(name: "Tracing"),
        .target(name: "PluginRouter", dependencies: ["Tracing", "PluginCore"], packageAccess: false),
    ]
)

// Common settings: the file Packages/settings, in every Package.swift, checked by Tests/Architecture.
for target in package.targets { target.swiftSettings = [.unsafeFlags(["@\(Context.packageDirectory)/../settings"])] }
