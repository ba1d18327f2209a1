public import PluginCore

/// Which versions are not to be had, although they are on offer.
extension BundleManager {
    /// Says why a package on offer is not to be had whatever else is installed, if so: it was put away, a newer one has run here, or
    /// it was built for another Core.
    ///
    /// - Throws: what is wrong with the registry; what is returned does too.
    public nonisolated func barring() throws(AtriumError) -> (Manifest) throws(AtriumError) -> AtriumError? {
        let bar = try bars()
        return { manifest throws(AtriumError) in
            if let reason = try bar(manifest.identity) { return reason }
            do throws(AtriumError) {
                try manifest.requireCore()
                return nil
            } catch {
                return error
            }
        }
    }

    /// Says why a version is not to be had, if so: it was put away, or a newer one has run here.
    ///
    /// - Throws: what is wrong with the registry; what is returned does too.
    nonisolated func bars() throws(AtriumError) -> Resolver.Bar {
        let quarantine = Dictionary(grouping: try registry.quarantine(), by: \.identity)
        return { [registry] identity throws(AtriumError) in
            if let floor = try registry.floor(of: identity.identifier), identity.version < floor {
                return AtriumError(.downgrade, identity.description, detail: "\(floor) has run here")
            }
            return quarantine[identity]?.first.map {
                AtriumError(.quarantined, identity.description, detail: $0.reason)
            }
        }
    }
}
