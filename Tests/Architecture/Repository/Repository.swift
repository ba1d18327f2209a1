/// The facts about a repository that the rules check, which are its packages, their targets and their source files.
struct Repository: Sendable {
    var packages: [Package]
    /// The names in the root folder that are part of the repository.
    var topLevel: Set<String>
    /// The paths of all files and folders, from the root.
    var paths: Set<String> = []
    /// Markdown pages and scripts.
    var pages: [Page] = []
    /// The sizes of all files with text.
    var sizes: [FileSize] = []
    /// The files with the texts of languages.
    var languages: [LanguageTable] = []

    /// Returns the package in a folder.
    func package(at folder: String) -> Package? {
        packages.first { $0.folder == folder }
    }

    /// The names of the business plugins.
    var plugins: [String] { packages.compactMap(\.plugin) }

    /// The targets of the product, without tests, benchmarks and the workspace.
    var productTargets: [Target] {
        packages.filter(\.isProduct).flatMap(\.targets).filter { $0.kind != .test }
    }
}

/// A package of the repository.
struct Package: Sendable {
    let name: String
    /// The path from the repository's root, such as `Packages/Core`; the root itself is `.`.
    let folder: String
    let manifest: Manifest
    /// The paths of manifests for a specific tools version, which take precedence over the plain one.
    let versionedManifests: [String]
    let dependencies: [PackageDependency]
    let products: [Product]
    var targets: [Target]
    /// The manifest of the bundle that the package builds.
    var bundle: BundleFacts?

    /// The plugin's name if the package is in `Plugins`.
    var plugin: String? {
        folder.hasPrefix("Plugins/") ? String(folder.dropFirst("Plugins/".count)) : nil
    }

    /// The targets with the plugin's extensions, each of which is a dynamic library beside that of the plugin.
    var extensions: [String] {
        guard let plugin, bundle?.isLibrary != true else { return [] }
        return products.filter { $0.linkage == .dynamic && $0.name != plugin && isPart($0.name) }.map(\.name)
    }

    /// The targets that are linked into the plugin and into its extensions.
    var sharedParts: [String] {
        guard !extensions.isEmpty else { return [] }
        return targets.filter { $0.kind == .library && !$0.isC && isPart($0.name) }.map(\.name)
            .filter { !extensions.contains($0) }
    }

    /// Returns whether a name starts with that of the plugin, and is neither the plugin's nor that of its Interface.
    private func isPart(_ name: String) -> Bool {
        guard let plugin else { return false }
        return name.hasPrefix(plugin) && ![plugin, plugin + "Interface"].contains(name)
    }

    var isProduct: Bool {
        folder == "HostApp" || folder.hasPrefix("Packages/") || folder.hasPrefix("Plugins/")
    }
}

enum PackageDependency: Sendable, Hashable {
    /// A folder, as a path from the repository's root; it starts with `..` if it is outside.
    case folder(String)
    /// A package that is downloaded, identified by its address or its name in a registry.
    case remote(String)

    /// The last part of the path, or the name.
    var name: String {
        switch self {
        case .folder(let name), .remote(let name): name.split(separator: "/").last.map(String.init) ?? name
        }
    }
}

struct Product: Decodable, Sendable {
    enum Linkage: String, Sendable { case dynamic, `static`, automatic }
    struct Kind: Decodable, Sendable { let library: [String]? }

    let name: String
    let targets: [String]
    let type: Kind

    /// The linkage of a library; `nil` for other products.
    var linkage: Linkage? { type.library?.first.flatMap(Linkage.init) }
}

/// A module of a package.
struct Target: Sendable {
    enum Kind: String, Sendable {
        case library = "regular"
        case executable, test, system, binary, plugin, macro
    }

    let name: String
    let kind: Kind
    /// The path from the repository's root.
    let folder: String
    let dependencies: [TargetDependency]
    /// The paths from the root of the files with settings that the compiler reads.
    let settings: [String]
    let sources: [SourceFile]
    /// The text of the module's documentation page.
    let page: String?
    /// The manifest that declares the target; for tests of a package, that of the root.
    var manifest: Manifest?

    /// The name by which sources import the module.
    var module: String {
        String(name.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    }

    /// A Boolean value that indicates whether the target is a system library or consists of C code.
    var isC: Bool {
        kind == .system || (kind == .library && !sources.isEmpty && !sources.contains(where: \.isSwift))
    }
}

enum TargetDependency: Sendable, Hashable {
    /// A target of the same package.
    case target(String)
    /// A product, with the name of its package if it is given.
    case product(String, package: String?)
    /// A target of the same package, or else a product of any package.
    case name(String)

    var name: String {
        switch self {
        case .target(let name), .name(let name), .product(let name, _): name
        }
    }
}
