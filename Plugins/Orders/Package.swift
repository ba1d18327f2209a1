// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "Orders",
    products: [
        // The static library that other plugins link, with names and facades but no code of the plugin.
        .library(name: "OrdersInterface", type: .static, targets: ["OrdersInterface"]),
        // The library that the host loads.
        .library(name: "Orders", type: .dynamic, targets: ["Orders"]),
    ],
    dependencies: ["../../Packages/Core", "../../Packages/SQLite", "../Account", "../Money"].map { .package(path: $0) },
    targets: [
        .target(name: "OrdersInterface", dependencies: [.product(name: "PluginCore", package: "Core")]),
        .target(
            name: "Orders",
            dependencies: [
                "OrdersInterface", .product(name: "AccountInterface", package: "Account"),
                .product(name: "Money", package: "Money"), .product(name: "PluginCore", package: "Core"),
                .product(name: "SQLite", package: "SQLite"),
            ]),
    ]
)

// Binary components: the same block in every plugin's Package.swift, checked by Tests/Architecture. With USE_LIB=1 in the environment,
// the libraries of an SDK replace the products of other packages; MONEY_USE_LIB=0 or 1 decides for one package.
func isBinary(_ package: some StringProtocol) -> Bool {
    (Context.environment["\(package.uppercased())_USE_LIB"] ?? Context.environment["USE_LIB"]) == "1"
}
for target in package.targets {
    for case .productItem(let product, let name?, _, _) in target.dependencies where isBinary(name) {
        target.linkerSettings = (target.linkerSettings ?? []) + [.linkedLibrary(product)]
    }
    target.dependencies.removeAll { if case .productItem(_, let name?, _, _) = $0 { isBinary(name) } else { false } }
}
package.dependencies.removeAll {
    if case .fileSystem(_, let path) = $0.kind { isBinary(path.split(separator: "/").last ?? "") } else { false }
}

// Common settings: the same block in every Package.swift, checked by Tests/Architecture.
let names = ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault"]
let all = names.map { SwiftSetting.enableUpcomingFeature($0) } + [.treatAllWarnings(as: .error)]
for target in package.targets where target.type != .system { target.swiftSettings = (target.swiftSettings ?? []) + all }
