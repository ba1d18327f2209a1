public import PluginCore

/// The versions on offer that may not be installed.
extension BundleManager {
    /// Returns why a package of the catalog may not be installed, whatever else is installed: its content crashed a host, a newer
    /// version has run here, a pin excludes it, or it was built for another Core.
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

    /// Returns why a version may not be installed: its content crashed a host, a newer version has run here, or a pin excludes it.
    ///
    /// - Parameters:
    ///   - contents: the seals' digests of versions whose content is known, such as staged ones.
    ///   - packages: what is offered besides the catalog.
    ///   - named: the versions that the user asks for by name: a rollback does not stand in their way, a pin does.
    /// - Throws: what is wrong with the registry; the returned function does too, and `catalogUnreachable` or `inputOutput` when a
    ///   package whose version has a block cannot be read now.
    nonisolated func bars(
        knowing contents: [BundleIdentity: String] = [:], offering packages: [CatalogPackage] = [],
        naming named: Set<BundleIdentity> = []
    ) throws(AtriumError) -> Resolver.Bar {
        let blocks = Dictionary(grouping: try registry.quarantine(), by: \.identity)
        let pins = Dictionary(try registry.pins().map { ($0.identifier, $0) }) { $1 }
        return { [registry] identity throws(AtriumError) in
            if let floor = try registry.floor(of: identity.identifier), identity.version < floor {
                return AtriumError(.downgrade, identity.description, detail: "\(floor) has run here")
            }
            if let block = try self.block(on: identity, among: blocks[identity], contents, packages) { return block }
            guard let pin = pins[identity.identifier],
                named.contains(identity) ? pin.isOutside(identity.version) : pin.excludes(identity.version)
            else { return nil }
            return AtriumError(.pinned, identity.description, detail: pin.words)
        }
    }

    private nonisolated func block(
        on identity: BundleIdentity, among blocks: [QuarantinedVersion]?, _ contents: [BundleIdentity: String],
        _ packages: [CatalogPackage]
    ) throws(AtriumError) -> AtriumError? {
        // Only a version that has a block needs its package read, which is rare.
        guard let blocks else { return nil }
        var content = contents[identity]
        if content == nil { content = try contentDigest(of: identity, offering: packages) }
        return blocks.first { $0.digest == content }.map {
            AtriumError(.quarantined, identity.description, detail: $0.reason)
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
