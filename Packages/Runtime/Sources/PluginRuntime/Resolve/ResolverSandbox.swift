internal import PluginCore

/// What a resolver asks about what is installed, one bundle at a time: of a thousand that are, a plan looks at a few.
protocol ResolverSandbox {
    /// The active version of a bundle, and what it needs; `nil` when it is not installed.
    func installed(_ identifier: String) throws(AtriumError) -> Resolver.Installed?

    /// Whose active versions need a bundle, on demand or not, in whatever version; in a fixed order.
    func dependents(of identifier: String) throws(AtriumError) -> [String]

    /// The identifiers of all that is installed, sorted.
    func identifiers() throws(AtriumError) -> [String]
}

/// What is installed, at hand.
struct ListedSandbox: ResolverSandbox {
    private let bundles: [String: Resolver.Installed]
    private let needing: [String: [String]]

    init(_ bundles: [String: Resolver.Installed]) {
        self.bundles = bundles
        var needing: [String: [String]] = [:]
        for (identifier, bundle) in bundles.sorted(by: { $0.key < $1.key }) {
            for other in Set(bundle.requirements.map(\.identifier)) { needing[other, default: []].append(identifier) }
        }
        self.needing = needing
    }

    func installed(_ identifier: String) -> Resolver.Installed? { bundles[identifier] }

    func dependents(of identifier: String) -> [String] { needing[identifier] ?? [] }

    func identifiers() -> [String] { bundles.keys.sorted() }
}

/// What is installed, as the registry says.
struct RegistrySandbox: ResolverSandbox {
    let registry: Registry

    func installed(_ identifier: String) throws(AtriumError) -> Resolver.Installed? {
        guard let bundle = try registry.active(identifier) else { return nil }
        return Resolver.Installed(
            version: bundle.identity.version, requirements: try registry.requirements(of: identifier))
    }

    func dependents(of identifier: String) throws(AtriumError) -> [String] {
        try registry.dependents(of: identifier)
    }

    func identifiers() throws(AtriumError) -> [String] { try registry.identifiers() }
}
