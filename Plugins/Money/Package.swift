// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "Money",
    products: [
        // The library that the host loads once, before the plugins that link it.
        .library(name: "Money", type: .dynamic, targets: ["Money"])
    ],
    dependencies: [.package(path: "../../Packages/Core")],
    targets: [
        .target(
            name: "Money",
            dependencies: [.product(name: "PluginCore", package: "Core")],
            // With library evolution, a plugin that was built with an older version works with a newer one of the same major
            // version. The compiler's check of the textual interface does not find Core's C header.
            swiftSettings: [.unsafeFlags(["-enable-library-evolution", "-no-verify-emitted-module-interface"])],
            // The dynamic loader finds an open library by its soname, which SwiftPM does not set.
            linkerSettings: [.unsafeFlags(["-Xlinker", "-soname", "-Xlinker", "libMoney.so"])]
        )
    ]
)

// Binary components: the same block in every plugin's Package.swift, checked by Tests/Architecture. With USE_LIB=1 in the environment,
// the libraries of an SDK replace the products of other packages; MONEY_USE_LIB=0 or 1 decides for one package.
var built: Set<String> = []
for target in package.targets {
    target.dependencies.removeAll { dependency in
        guard case .productItem(let product, let name?, _, _) = dependency else { return false }
        let choice = Context.environment["\(name.uppercased())_USE_LIB"] ?? Context.environment["USE_LIB"]
        if choice == "1" {
            target.linkerSettings = (target.linkerSettings ?? []) + [.linkedLibrary(product)]
        } else {
            built.insert(name)
        }
        return choice == "1"
    }
}
package.dependencies.removeAll { dependency in
    if case .fileSystem(_, let path) = dependency.kind { !built.contains { path.hasSuffix("/" + $0) } } else { false }
}

// Common settings: the same block in every Package.swift, checked by Tests/Architecture.
let features = [
    "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault",
]
for target in package.targets where target.type != .system {
    target.swiftSettings =
        (target.swiftSettings ?? []) + [.swiftLanguageMode(.v6)] + features.map { .enableUpcomingFeature($0) }
        + [.treatAllWarnings(as: .error)]
}
