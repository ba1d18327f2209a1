/// The facts about a repository that the rules judge: its packages, their targets, and what every file of code says.
struct House: Sendable {
    var packages: [Package]
    /// The names in the repository's root that belong to the repository.
    var topLevel: Set<String>

    /// A package by its folder.
    func package(at folder: String) -> Package? {
        packages.first { $0.folder == folder }
    }

    /// The names of the business plugins.
    var plugins: [String] { packages.compactMap(\.plugin) }

    /// What is shipped: not the tests, not the workspace, not the benchmarks.
    var productTargets: [Target] {
        packages.filter(\.isProduct).flatMap(\.targets).filter { $0.kind != .test }
    }
}

/// A package of the house.
struct Package: Sendable {
    let name: String
    /// From the repository's root, such as `Packages/Core`; the root itself is `.`.
    let folder: String
    let manifest: Manifest
    /// Paths of manifests for one version of the tools, which are taken before the plain one.
    let versionedManifests: [String]
    let dependencies: [PackageDependency]
    let products: [Product]
    let targets: [Target]
    /// What the bundle says of itself that the package builds.
    var bundle: BundleFacts?

    /// The plugin's name when the package is one of `Plugins/`.
    var plugin: String? {
        folder.hasPrefix("Plugins/") ? String(folder.dropFirst("Plugins/".count)) : nil
    }

    var isProduct: Bool {
        folder == "HostApp" || folder.hasPrefix("Packages/") || folder.hasPrefix("Plugins/")
    }
}

enum PackageDependency: Sendable, Hashable {
    /// A folder, from the repository's root; it climbs with `..` when it lies outside.
    case folder(String)
    /// A package that is fetched, by its address or its name in a registry.
    case remote(String)
}

struct Product: Sendable {
    enum Linkage: String, Sendable { case dynamic, `static`, automatic }

    let name: String
    /// How the library is linked; nil for what is not a library.
    let linkage: Linkage?
    let targets: [String]
}

/// A module.
struct Target: Sendable {
    enum Kind: String, Sendable {
        case library = "regular"
        case executable, test, system, binary, plugin, macro
    }

    let name: String
    let kind: Kind
    /// From the repository's root.
    let folder: String
    let dependencies: [TargetDependency]
    let sources: [SourceFile]
    /// The text of `<Module>.docc/<Module>.md`.
    let page: String?

    /// The name that sources import.
    var module: String {
        String(name.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    }

    /// A Boolean value that indicates whether the target is a C library of the system, or C code.
    var isC: Bool {
        kind == .system || (kind == .library && !sources.isEmpty && !sources.contains(where: \.isSwift))
    }
}

enum TargetDependency: Sendable, Hashable {
    /// A target of the same package.
    case target(String)
    /// A product, and the package it is said to be of.
    case product(String, package: String?)
    /// A target of the same package, or else a product of any.
    case name(String)

    var name: String {
        switch self {
        case .target(let name), .name(let name), .product(let name, _): name
        }
    }
}
