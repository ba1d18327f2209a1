// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "Tools",
    products: [
        .library(name: "Console", targets: ["Console"]),
        .library(name: "TerminalImages", targets: ["TerminalImages"]),
        .library(
            name: "BundleTool",
            targets: [
                "BundleTool", "CatalogPublisher", "PluginAuthoring", "PluginComponents", "PluginLint",
                "PluginValidation",
            ]),
        .executable(name: "bundletool", targets: ["bundletool"]),
    ],
    dependencies: [
        .package(path: "../Core"),
        .package(path: "../Router"),
        .package(path: "../Runtime"),
        .package(path: "../TUF"),
        .package(path: "../Zip"),
    ],
    targets: [
        .target(name: "Console", dependencies: [.product(name: "PluginCore", package: "Core")]),
        // libpng is opened with the first image.
        .target(name: "CTerminalImages", cSettings: [.unsafeFlags(["-fvisibility=hidden"])]),
        // PNG images as a terminal shows them.
        .target(name: "TerminalImages", dependencies: ["CTerminalImages"]),
        // Interfaces of plugins in catalogs and in authors' packages.
        .target(
            name: "PluginComponents",
            dependencies: [
                "Console",
                .product(name: "PluginCore", package: "Core"),
                .product(name: "PluginRuntime", package: "Runtime"),
                .product(name: "TUF", package: "TUF"),
                .product(name: "Zip", package: "Zip"),
            ]
        ),
        // Catalogs of packages: edit, sign and publish.
        .target(
            name: "CatalogPublisher",
            dependencies: [
                "Console",
                "PluginComponents",
                .product(name: "PluginCore", package: "Core"),
                .product(name: "PluginRuntime", package: "Runtime"),
                .product(name: "TUF", package: "TUF"),
                .product(name: "Zip", package: "Zip"),
            ]
        ),
        // New plugins, and the SDK that they are built with.
        .target(name: "PluginAuthoring", dependencies: ["Console", .product(name: "PluginCore", package: "Core")]),
        // The files that the code of a process changes, as the kernel sees it.
        .target(name: "CFileWrites"),
        // The checks of a built plugin's behavior.
        .target(
            name: "PluginValidation",
            dependencies: [
                "CFileWrites",
                "Console",
                .product(name: "PluginCore", package: "Core"),
                .product(name: "PluginRouter", package: "Router"),
                .product(name: "PluginRuntime", package: "Runtime"),
            ]
        ),
        // The rules of `bundletool lint`. No files and no processes.
        .target(
            name: "PluginLint",
            dependencies: [
                "Console",
                .product(name: "PluginCore", package: "Core"),
                .product(name: "PluginRouter", package: "Router"),
                .product(name: "PluginRuntime", package: "Runtime"),
            ]
        ),
        .target(
            name: "BundleTool",
            dependencies: [
                "CatalogPublisher",
                "Console",
                "PluginAuthoring",
                "PluginComponents",
                "PluginLint",
                "PluginValidation",
                .product(name: "PluginCore", package: "Core"),
                .product(name: "PluginRuntime", package: "Runtime"),
                .product(name: "TUF", package: "TUF"),
                .product(name: "Zip", package: "Zip"),
            ]
        ),
        .executableTarget(
            name: "bundletool",
            dependencies: ["BundleTool", "Console"],
            // The folder of the libraries that host and plugins share, relative to bin, so that build/ can be moved.
            linkerSettings: [.unsafeFlags(["-Xlinker", "-rpath", "-Xlinker", "$ORIGIN/../lib"])]
        ),
        .testTarget(
            name: "ConsoleTests", dependencies: ["Console", .product(name: "PluginCore", package: "Core")]
        ),
        .testTarget(name: "TerminalImagesTests", dependencies: ["TerminalImages"]),
        .testTarget(
            name: "BundleToolTests",
            dependencies: [
                "BundleTool", "CatalogPublisher", "Console", "PluginAuthoring", "PluginComponents", "PluginLint",
                // The tests start it as a program of its own.
                "bundletool",
                .product(name: "PluginCore", package: "Core"),
                .product(name: "PluginRuntime", package: "Runtime"),
                .product(name: "TUF", package: "TUF"),
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
