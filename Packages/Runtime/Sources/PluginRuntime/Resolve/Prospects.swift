import PluginCore

/// What comes of the versions on offer that are newer than what there is.
struct Prospects {
    /// The newest that can be had, as far as manifests tell.
    var reachable: SemanticVersion?
    /// Why those above it cannot, newest first; of the first few.
    var refusals: [AtriumError] = []
    /// How many more above it cannot.
    var others = 0
}

extension BundleManager {
    /// How many versions are asked one by one why they cannot be had.
    private nonisolated static var looks: Int { 4 }

    /// Finds the newest version that can be had. The newest few are asked one by one; of the others one plan says which it is, so
    /// that a catalog of a thousand versions is not planned a thousand times.
    ///
    /// - Parameter newer: the versions to look at, newest first.
    /// - Throws: ``AtriumError`` with code `catalogUnreachable`.
    nonisolated func prospects(of identifier: String, among newer: [SemanticVersion]) throws(AtriumError) -> Prospects {
        var prospects = Prospects()
        for version in newer.prefix(Self.looks) {
            guard let refusal = try refusal(of: BundleIdentity(identifier: identifier, version: version)) else {
                prospects.reachable = version
                return prospects
            }
            prospects.refusals.append(refusal)
        }
        let rest = newer.dropFirst(Self.looks)
        let isInstalled = try registry.active(identifier) != nil
        let plan = rest.isEmpty ? nil : try? plan([isInstalled ? .update(identifier) : .install(identifier)])
        if let version = plan?.steps.first(where: { $0.identifier == identifier })?.to, rest.contains(version),
            try refusal(of: BundleIdentity(identifier: identifier, version: version)) == nil
        {
            prospects.reachable = version
        }
        prospects.others = rest.count { version in prospects.reachable.map { version > $0 } ?? true }
        return prospects
    }
}
