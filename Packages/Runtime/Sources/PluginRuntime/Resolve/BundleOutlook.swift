public import PluginCore

/// What an installed bundle could become.
public struct BundleOutlook: Sendable {
    /// The version in use.
    public let active: PluginBundle
    /// The newest version that it can be brought to, as far as manifests tell and the offers can be reached; the active one when there
    /// is none above it, `nil` when nobody can know.
    public let reachable: SemanticVersion?
    /// The newest version on offer, whether it can be had or not; `nil` when there is none, or nobody can know.
    public let newest: SemanticVersion?
    /// Why it can not be brought to the newest version; or why nobody can know.
    public let obstacle: AtriumError?

    /// Whether an update would bring something newer.
    public var isOutdated: Bool { reachable.map { $0 > active.identity.version } ?? false }

    /// Whether all offers could be read.
    public var isKnown: Bool { obstacle?.code != .catalogUnreachable }
}

extension BundleManager {
    /// What installed bundles could become: some, or all.
    ///
    /// A catalog that can not be reached is told in the outlooks.
    ///
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled`, and what is wrong with the registry.
    public nonisolated func outlooks(of identifiers: [String] = []) throws(AtriumError) -> [BundleOutlook] {
        var installed: [InstalledBundle] = []
        for identifier in identifiers { installed.append(try requireInstalled(identifier)) }
        if identifiers.isEmpty { installed = try registry.installed() }
        var outlooks: [BundleOutlook] = []
        for bundle in installed { outlooks.append(try outlook(of: bundle.active)) }
        return outlooks
    }

    private nonisolated func outlook(of active: PluginBundle) throws(AtriumError) -> BundleOutlook {
        let identifier = active.identity.identifier
        var reachable: SemanticVersion?
        do throws(AtriumError) {
            let all = try catalog.versions(of: identifier)
            let offered = all.filter { $0.isForAnybody(after: active.identity.version, among: all) }
            let newer = offered.filter { $0 > active.identity.version }
            let prospects = try prospects(of: identifier, among: newer)
            reachable = prospects.reachable
            try catalog.requireReachable()
            return BundleOutlook(
                active: active, reachable: reachable ?? active.identity.version, newest: offered.first,
                obstacle: prospects.refusals.first)
        } catch {
            guard error.code == .catalogUnreachable else { throw error }
            return BundleOutlook(active: active, reachable: reachable, newest: nil, obstacle: error)
        }
    }

    /// Why a version on offer can not be installed, as far as its manifest tells; others may move with it.
    ///
    /// - Throws: ``AtriumError`` with code `catalogUnreachable`.
    nonisolated func refusal(of identity: BundleIdentity) throws(AtriumError) -> AtriumError? {
        let refusal: AtriumError?
        do throws(AtriumError) {
            refusal = self.refusal(of: try catalog.package(identity).manifest)
        } catch {
            refusal = error
        }
        if let refusal, refusal.code == .catalogUnreachable { throw refusal }
        return refusal
    }
}
