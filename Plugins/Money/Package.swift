// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "Money",
    // The library that the host loads once, before the plugins that link it.
    products: [.library(name: "Money", type: .dynamic, targets: ["Money"])],
    dependencies: [.package(path: "../../Packages/Core")],
    targets: [
        .target(
            name: "Money", dependencies: [.product(name: "PluginCore", package: "Core")],
            // With library evolution, a plugin that was built with an older version works with a newer one of the same major
            // version. The compiler's check of the textual interface does not find Core's C header.
            swiftSettings: [
                .unsafeFlags(["-enable-library-evolution", "-no-verify-emitted-module-interface"]),
                .unsafeFlags(["@\(Context.packageDirectory)/../settings"]),
            ],
            // The dynamic loader finds an open library by its soname, which SwiftPM does not set.
            linkerSettings: [.unsafeFlags(["-Xlinker", "-soname", "-Xlinker", "libMoney.so"])])
    ]
)
