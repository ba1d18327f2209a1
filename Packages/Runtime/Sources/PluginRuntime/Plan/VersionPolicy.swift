import BundleFormat
import Registry
import HostSystem
import PluginCatalog
import Resolver
import PluginCore

/// The rules that block offered versions from being installed.
struct VersionPolicy: Sendable {
    let registry: Registry
    let catalog: any Catalog
    let admission: [any Admission]

    /// Returns a function that returns the reason why a version is blocked: the host, its content, a newer version that has run, or a pin.
    ///
    /// - Parameters:
    ///   - contents: the digests of the seals of versions whose content is known, such as staged ones.
    ///   - packages: packages offered in addition to the catalog's.
    ///   - named: the versions that a user has requested explicitly, which a rollback doesn't block, but a pin does.
    /// - Throws: the errors of the registry and of the host's rules. The returned function throws them too, and `catalogUnreachable` or `inputOutput`
    ///   when the package of a version with a block can't be read.
    func blockRule(
        knowing contents: [BundleIdentity: String] = [:], offering packages: [CatalogPackage] = [],
        naming named: Set<BundleIdentity> = []
    ) throws(AtriumError) -> Resolver.BlockRule {
        let blocks = Dictionary(grouping: try registry.quarantine.all(), by: \.identity)
        let pins = Dictionary(try registry.pins.all().map { ($0.identifier, $0) }) { $1 }
        var rules: [Admission.InstallRule] = []
        for admission in admission { rules.append(try admission.installRule()) }
        return { identity throws(AtriumError) in
            for rule in rules { if let refusal = rule(identity) { return refusal } }
            if let minimumVersion = try registry.minimumVersions.version(of: identity.identifier),
                identity.version < minimumVersion
            {
                return AtriumError(.downgrade, identity.description, reason: "hasRun", ["version": "\(minimumVersion)"])
            }
            if let block = try block(on: identity, among: blocks[identity], contents, packages) { return block }
            guard let pin = pins[identity.identifier],
                named.contains(identity) ? pin.isOutside(identity.version) : pin.excludes(identity.version)
            else { return nil }
            return AtriumError(.pinned, identity.description, reason: pin.reason)
        }
    }

    private func block(
        on identity: BundleIdentity, among blocks: [QuarantinedVersion]?, _ contents: [BundleIdentity: String],
        _ packages: [CatalogPackage]
    ) throws(AtriumError) -> AtriumError? {
        // Only the packages of versions with a block have to be read, which are rare.
        guard let blocks else { return nil }
        var content = contents[identity]
        if content == nil { content = try contentDigest(of: identity, offering: packages) }
        return blocks.first { $0.digest == content }.map {
            AtriumError(.quarantined, identity.description, reason: $0.reason)
        }
    }

    /// Returns the digest of the seal in the package that would be installed.
    ///
    /// - Returns: `nil` for an invalid package, which is reported later.
    private func contentDigest(
        of identity: BundleIdentity, offering packages: [CatalogPackage]
    ) throws(AtriumError) -> String? {
        do throws(AtriumError) {
            if let offered = packages.first(where: { $0.manifest.identity == identity }) {
                return try offered.sealDigest()
            }
            return try catalog.package(identity).sealDigest()
        } catch {
            if error.isEnvironmental { throw error }
            return nil
        }
    }
}
