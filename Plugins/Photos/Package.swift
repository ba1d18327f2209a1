// swift-tools-version: 6.3
import PackageDescription

let core = Target.Dependency.product(name: "PluginCore", package: "Core")
// Hosts do not offer libpng, so the extension contains it.
let contained = ["-l:libpng16.a", "-l:libz.a", "--exclude-libs=ALL", "--wrap=stderr"]
let package = Package(
    name: "Photos",
    products: [
        .library(name: "PhotosInterface", type: .static, targets: ["PhotosInterface"]),
        .library(name: "Photos", type: .dynamic, targets: ["Photos"]),
        // The library of the editor, which runs in a process of its own.
        .library(name: "PhotosEditor", type: .dynamic, targets: ["PhotosEditor"]),
    ],
    dependencies: [.package(path: "../../Packages/Core"), .package(path: "../../Packages/PluginExtension")],
    targets: [
        .target(name: "PhotosInterface", dependencies: [core]),
        // The header of libpng, from the Debian package libpng-dev.
        .target(name: "CPNG"),
        .target(name: "Photos", dependencies: ["PhotosInterface", core]),
        .target(
            name: "PhotosEditor", dependencies: ["CPNG", "PluginExtension", core],
            linkerSettings: [.unsafeFlags(contained.flatMap { ["-Xlinker", $0] })]),
    ]
)

// Common settings, checked by Tests/Architecture.
for target in package.targets { target.swiftSettings = [.unsafeFlags(["@\(Context.packageDirectory)/../settings"])] }
