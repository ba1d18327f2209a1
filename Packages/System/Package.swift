// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "System",
    products: [.library(name: "HostSystem", type: .dynamic, targets: ["HostSystem"])],
    dependencies: [.package(name: "PluginCore", path: "../Core")],
    targets: [
        // Plugins must not find these functions, except for those that crash_lines.h marks.
        .target(name: "CSystem", cSettings: [.unsafeFlags(["-fvisibility=hidden"])]),
        // The operating system: runtime and layers call Glibc through it alone, and only it imports CSystem.
        .target(name: "HostSystem", dependencies: ["CSystem", "PluginCore"], packageAccess: false),
    ]
)

// Common settings, checked by Tests/Architecture.
for target in package.targets { target.swiftSettings = [.unsafeFlags(["@\(Context.packageDirectory)/../settings"])] }
