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
        .package(path: "../Packages/Core"),
        .package(path: "../Packages/Router"),
        .package(path: "../Packages/Runtime"),
        .package(path: "../Packages/TUF"),
        .package(path: "../Packages/Tools"),
        .package(path: "../Packages/Zip"),
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
                "TerminalScreen",
                .product(name: "Console", package: "Tools"),
                .product(name: "PluginCore", package: "Core"),
                .product(name: "TerminalImages", package: "Tools"),
            ]
        ),
        .target(
            name: "AppHost",
            dependencies: [
                "AppScreens", "LineEditing", "TerminalScreen",
                .product(name: "Console", package: "Tools"),
                .product(name: "PluginCore", package: "Core"),
                .product(name: "PluginRouter", package: "Router"),
                .product(name: "PluginRuntime", package: "Runtime"),
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
        .testTarget(
            name: "TerminalScreenTests", dependencies: ["TerminalScreen", .product(name: "Console", package: "Tools")]
        ),
        .testTarget(
            name: "AppScreensTests",
            dependencies: ["AppScreens", "TerminalScreen", .product(name: "PluginCore", package: "Core")]
        ),
        .testTarget(
            name: "AppHostTests",
            dependencies: [
                "AppHost",
                "AppScreens", "LineEditing", "TerminalScreen",
                .product(name: "Console", package: "Tools"),
                .product(name: "PluginCore", package: "Core"),
                .product(name: "PluginRouter", package: "Router"),
                .product(name: "PluginRuntime", package: "Runtime"),
                .product(name: "TUF", package: "TUF"),
                .product(name: "TerminalImages", package: "Tools"),
                .product(name: "Zip", package: "Zip"),
            ]
        ),
    ]
)

// Binary components: the same block in every Package.swift with dependencies, checked by Tests/Architecture. With USE_LIB=1 in the
// environment, the libraries of an SDK replace these products of other packages; MONEY_USE_LIB=0 or 1 decides for one package.
let binaries: Set = ["Money", "PluginCore", "PluginRouter", "PluginRuntime", "PluginTestKit", "SQLite", "TUF", "Zip"]
func isBinary(_ dependency: Target.Dependency) -> Bool {
    guard case .productItem(let product, let component?, _, _) = dependency else { return false }
    guard binaries.contains(product) || product.hasSuffix("Interface") else { return false }
    let choices = Context.environment
    return (choices["\(component.uppercased())_USE_LIB"] ?? choices["USE_LIB"]) == "1"
}
for target in package.targets {
    for case .productItem(let product, _, _, _) in target.dependencies.filter(isBinary) {
        target.linkerSettings = (target.linkerSettings ?? []) + [.linkedLibrary(product)]
    }
    target.dependencies.removeAll(where: isBinary)
}
package.dependencies.removeAll { dependency in
    guard case .fileSystem(_, let path) = dependency.kind else { return false }
    return !package.targets.flatMap(\.dependencies).contains {
        if case .productItem(_, let component?, _, _) = $0 { path.hasSuffix("/" + component) } else { false }
    }
}

// Common settings: the same block in every Package.swift, checked by Tests/Architecture.
let commonSettings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),  // SE-0335
    .enableUpcomingFeature("InternalImportsByDefault"),  // SE-0409
    .enableUpcomingFeature("MemberImportVisibility"),  // SE-0444
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),  // SE-0461
    .treatAllWarnings(as: .error),  // SE-0480
]
for target in package.targets where target.type != .system && target.type != .binary {
    target.swiftSettings = (target.swiftSettings ?? []) + commonSettings
}
