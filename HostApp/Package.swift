// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "HostApp",
    products: [
        .library(
            name: "AppHost",
            targets: ["AppHost", "AppScreens", "LineEditing", "TerminalScreen"]),
        .executable(name: "hostapp", targets: ["hostapp"]),
    ],
    dependencies: [
        .package(path: "../Packages/Core"), .package(path: "../Packages/Router"), .package(path: "../Packages/Runtime"),
        .package(path: "../Packages/Tools"),
    ],
    targets: [
        .target(name: "CLineEditor"),
        // Lines that the user types on a terminal, by libedit, which is opened when they are first needed.
        .target(name: "LineEditing", dependencies: ["CLineEditor"]),
        // It opens libncursesw only when a screen is shown, so that it is not linked.
        .target(name: "CCurses", cSettings: [.unsafeFlags(["-fvisibility=hidden"])]),
        .target(
            name: "TerminalScreen", dependencies: ["CCurses", .product(name: "Console", package: "Tools")]),
        .target(
            name: "AppScreens",
            dependencies: [
                "TerminalScreen", .product(name: "Console", package: "Tools"),
                .product(name: "PluginCore", package: "Core"), .product(name: "TerminalImages", package: "Tools"),
            ]
        ),
        .target(
            name: "AppHost",
            dependencies: [
                "AppScreens", "LineEditing", "TerminalScreen",
                .product(name: "Console", package: "Tools"), .product(name: "PluginCore", package: "Core"),
                .product(name: "PluginRouter", package: "Router"), .product(name: "PluginRuntime", package: "Runtime"),
                .product(name: "TerminalImages", package: "Tools"),
            ]
        ),
        .systemLibrary(name: "CLoadedFirst"),
        .executableTarget(
            name: "hostapp",
            dependencies: ["AppHost", "CLoadedFirst"],
            // The folder of the libraries that host and plugins share, relative to bin, so that build/ can be moved.
            linkerSettings: [.unsafeFlags(["-Xlinker", "-rpath", "-Xlinker", "$ORIGIN/../lib"])]
        ),
    ]
)

// Common settings: the same block in every Package.swift, checked by Tests/Architecture.
for target in package.targets where target.type != .system {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [.swiftLanguageMode(.v6)]
        + ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault"]
        .map { .enableUpcomingFeature($0) } + [.treatAllWarnings(as: .error)]
}
