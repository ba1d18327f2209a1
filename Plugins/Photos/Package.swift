// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "Photos",
    products: [
        // The static library that other plugins link, with names but no code of the plugin.
        .library(name: "PhotosInterface", type: .static, targets: ["PhotosInterface"]),
        // The library that the host loads.
        .library(name: "Photos", type: .dynamic, targets: ["Photos"]),
        // The library of the editor, which runs in a process of its own.
        .library(name: "PhotosEditor", type: .dynamic, targets: ["PhotosEditor"]),
    ],
    dependencies: [
        .package(path: "../../Packages/Core"),
        .package(path: "../../Packages/TestKit"),
    ],
    targets: [
        .target(name: "PhotosInterface", dependencies: [.product(name: "PluginCore", package: "Core")]),
        // The header of libpng, from the Debian package libpng-dev.
        .target(name: "CPNG"),
        .target(name: "Photos", dependencies: ["PhotosInterface", .product(name: "PluginCore", package: "Core")]),
        .target(
            name: "PhotosEditor",
            dependencies: ["CPNG", .product(name: "PluginCore", package: "Core")],
            // Hosts do not offer libpng, so the extension contains it.
            linkerSettings: [
                .unsafeFlags(
                    ["-l:libpng16.a", "-l:libz.a", "--exclude-libs=ALL", "--wrap=stderr"].flatMap { ["-Xlinker", $0] })
            ]
        ),
        .testTarget(
            name: "PhotosTests",
            dependencies: [
                "Photos", "PhotosEditor", "PhotosInterface",
                .product(name: "PluginCore", package: "Core"),
                .product(name: "PluginTestKit", package: "TestKit"),
            ],
            // The plugin and its editor have an entry function of the same name, and the tests contain both.
            linkerSettings: [.unsafeFlags(["-Xlinker", "--allow-multiple-definition"])]
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
