public import PluginCore

/// The versions on offer that may not be installed.
extension BundleManager {
    /// Returns why a package of the catalog may not be installed, whatever else is installed: its content crashed a host, a newer
    /// version has run here, or it was built for another Core.
    ///
    /// - Throws: what is wrong with the registry; the returned function does too.
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

    /// Returns why a version may not be installed: its content crashed a host, or a newer version has run here.
    ///
    /// - Parameters:
    ///   - contents: the seals' digests of versions whose content is known, such as staged ones.
    ///   - packages: what is offered besides the catalog.
    /// - Throws: what is wrong with the registry; the returned function does too, and `catalogUnreachable` or `inputOutput` when a
    ///   package whose version has a block cannot be read now.
    nonisolated func bars(
        knowing contents: [BundleIdentity: String] = [:], offering packages: [CatalogPackage] = []
    ) throws(AtriumError) -> Resolver.Bar {
        let blocks = Dictionary(grouping: try registry.quarantine(), by: \.identity)
        return { [registry] identity throws(AtriumError) in
            if let floor = try registry.floor(of: identity.identifier), identity.version < floor {
                return AtriumError(.downgrade, identity.description, detail: "\(floor) has run here")
            }
            // Only a version that has a block needs its package read, which is rare.
            guard let blocked = blocks[identity] else { return nil }
            var content = contents[identity]
            if content == nil { content = try self.contentDigest(of: identity, offering: packages) }
            return blocked.first { $0.digest == content }.map {
                AtriumError(.quarantined, identity.description, detail: $0.reason)
            }
        }
    }

    /// The seal's digest of the package that an install of a version would take; `nil` when it has no sound one, which is reported
    /// when it is opened to be installed.
    private nonisolated func contentDigest(
        of identity: BundleIdentity, offering packages: [CatalogPackage]
    ) throws(AtriumError) -> String? {
        do throws(AtriumError) {
            if let offered = packages.first(where: { $0.manifest.identity == identity }) {
                return try PackageFile(path: offered.path).sealDigest()
            }
            return try PackageFile(path: catalog.package(identity).path).sealDigest()
        } catch {
            if error.isOfPlace { throw error }
            return nil
        }
    }
}
