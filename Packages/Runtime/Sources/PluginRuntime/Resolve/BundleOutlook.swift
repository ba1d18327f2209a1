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
    /// Why it cannot be brought to the newest version; or why nobody can know.
    public let obstacle: AtriumError?
    /// The limit to its versions; `nil` for none.
    public var pin: VersionPin?

    /// A Boolean value that indicates whether an update would bring something newer.
    public var isOutdated: Bool { reachable.map { $0 > active.identity.version } ?? false }

    /// A Boolean value that indicates whether all offers could be read.
    public var isKnown: Bool { obstacle?.code != .catalogUnreachable }
}

extension BundleManager {
    /// What installed bundles could become: some, or all.
    ///
    /// A catalog that cannot be reached is told in the outlooks.
    ///
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled`, and what is wrong with the registry.
    public nonisolated func outlooks(of identifiers: [String] = []) throws(AtriumError) -> [BundleOutlook] {
        var installed: [InstalledBundle] = []
        for identifier in identifiers { installed.append(try requireInstalled(identifier)) }
        if identifiers.isEmpty { installed = try registry.installed() }
        var outlooks: [BundleOutlook] = []
        let pins = Dictionary(try registry.pins().map { ($0.identifier, $0) }) { $1 }
        for bundle in installed {
            var outlook = try outlook(of: bundle.active)
            outlook.pin = pins[bundle.active.identity.identifier]
            outlooks.append(outlook)
        }
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
                obstacle: newer.isEmpty ? try otherContent(of: active) : prospects.refusals.first)
        } catch {
            guard error.code == .catalogUnreachable else { throw error }
            return BundleOutlook(active: active, reachable: reachable, newest: nil, obstacle: error)
        }
    }

    /// Why a version on offer cannot be installed, as far as its manifest tells; others may move with it.
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

    /// That the catalog has other content under the version that is installed, if so. Nothing brings it in: a version names one
    /// content as long as it is installed.
    ///
    /// - Returns: an error with code `versionReused`, or `nil`; nothing for a package that cannot be read.
    public nonisolated func otherContent(of bundle: PluginBundle) throws(AtriumError) -> AtriumError? {
        do throws(AtriumError) {
            try checkOrigin(of: bundle, [])
            return nil
        } catch {
            if error.isOfPlace, error.code != .catalogUnreachable { throw error }
            return error.code == .versionReused ? error : nil
        }
    }
}
