package import PluginCore

/// The installed bundles, as far as a resolver asks for them.
///
/// Each bundle is looked up individually, because a plan concerns a few of possibly thousands.
package protocol ResolverSandbox {
    /// Returns the active version of a bundle with its requirements.
    ///
    /// - Returns: `nil` when it isn't installed.
    func installed(_ identifier: BundleIdentifier) throws(AtriumError) -> VersionQuestion.Installed?

    /// Returns the bundles whose active versions require a bundle, on demand or not, in a fixed order.
    func dependents(of identifier: BundleIdentifier) throws(AtriumError) -> [BundleIdentifier]

    /// Returns the identifiers of all installed bundles, sorted.
    func identifiers() throws(AtriumError) -> [BundleIdentifier]
}

/// A list of installed bundles in memory.
package struct ListedSandbox: ResolverSandbox {
    private let bundles: [BundleIdentifier: VersionQuestion.Installed]
    private let needing: [BundleIdentifier: [BundleIdentifier]]

    package init(_ bundles: [BundleIdentifier: VersionQuestion.Installed]) {
        self.bundles = bundles
        var needing: [BundleIdentifier: [BundleIdentifier]] = [:]
        for (identifier, bundle) in bundles.sorted(by: { $0.key < $1.key }) {
            for other in Set(bundle.requirements.map(\.identifier)) { needing[other, default: []].append(identifier) }
        }
        self.needing = needing
    }

    package func installed(_ identifier: BundleIdentifier) -> VersionQuestion.Installed? { bundles[identifier] }

    package func dependents(of identifier: BundleIdentifier) -> [BundleIdentifier] { needing[identifier] ?? [] }

    package func identifiers() -> [BundleIdentifier] { bundles.keys.sorted() }
}
