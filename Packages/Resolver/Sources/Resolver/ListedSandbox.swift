package import PluginCore
package import PluginRuntime

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

extension ChangePlanner {
    /// Answers requests from offers of packages, for a sandbox in which nothing is installed.
    ///
    /// - Parameter refusal: Returns the reason why a version must not be chosen, besides those that block it in this sandbox; or nil.
    func steps(
        _ requests: [ResolverRequest], from offers: any Offers,
        unless refusal: @escaping (BundleIdentity) -> AtriumError?
    ) throws(AtriumError) -> [ResolvedChange.Step] {
        let blockRule = try versionPolicy.blockRule(in: offers)
        let question = VersionQuestion(
            requests, sandbox: ListedSandbox([:]), offers: sealed(offers)
        ) { identity throws(AtriumError) in
            if let refusal = refusal(identity) { return refusal }
            return try blockRule(identity)
        }
        return try chooser.change(question).steps
    }
}
