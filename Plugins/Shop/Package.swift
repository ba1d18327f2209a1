// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "Shop",
    products: [
        // The static library that other plugins link, with names and facades but no code of the plugin.
        .library(name: "ShopInterface", type: .static, targets: ["ShopInterface"]),
        // The library that the host loads.
        .library(name: "Shop", type: .dynamic, targets: ["Shop"]),
    ],
    dependencies: [
        .package(path: "../../Packages/Core"),
        .package(path: "../../Packages/TestKit"),
        .package(path: "../Account"),
        .package(path: "../Money"),
        .package(path: "../Orders"),
    ],
    targets: [
        .target(name: "ShopInterface", dependencies: [.product(name: "PluginCore", package: "Core")]),
        .target(
            name: "Shop",
            dependencies: [
                "ShopInterface",
                .product(name: "PluginCore", package: "Core"),
                .product(name: "AccountInterface", package: "Account"),
                .product(name: "OrdersInterface", package: "Orders"),
                .product(name: "Money", package: "Money"),
            ]
        ),
        .testTarget(
            name: "ShopTests",
            dependencies: [
                "Shop", "ShopInterface",
                .product(name: "PluginCore", package: "Core"),
                .product(name: "PluginTestKit", package: "TestKit"),
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
