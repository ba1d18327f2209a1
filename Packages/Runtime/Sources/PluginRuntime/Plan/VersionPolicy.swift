import BundleFormat
import Registry
import HostSystem
import PluginCore

/// The rules that block offered versions from being installed.
struct VersionPolicy: Sendable {
    let registry: Registry
    let admission: [any Admission]

    /// Returns a function that returns the reason why a version is blocked: the host, its content, a newer version that has run, or a pin.
    ///
    /// - Parameters:
    ///   - offers: the offers, from which the content of other versions is known.
    ///   - contents: the digests of the seals of versions whose content is known, such as staged ones.
    ///   - named: the versions that a user has requested explicitly, which a rollback doesn't block, but a pin does.
    /// - Throws: the errors of the registry and of the host's rules. The returned function throws them too, and `catalogUnreachable` or `inputOutput`
    ///   when the package of a version with a block can't be read.
    func blockRule(
        in offers: any Offers, knowing contents: [BundleIdentity: String] = [:], naming named: Set<BundleIdentity> = []
    ) throws(AtriumError) -> VersionQuestion.BlockRule {
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
            if let block = try block(on: identity, among: blocks[identity], contents, offers) { return block }
            guard let pin = pins[identity.identifier],
                named.contains(identity) ? pin.isOutside(identity.version) : pin.excludes(identity.version)
            else { return nil }
            return AtriumError(.pinned, identity.description, reason: pin.reason)
        }
    }

    private func block(
        on identity: BundleIdentity, among blocks: [QuarantinedVersion]?, _ contents: [BundleIdentity: String],
        _ offers: any Offers
    ) throws(AtriumError) -> AtriumError? {
        // Only the packages of versions with a block have to be read, which are rare.
        guard let blocks else { return nil }
        var content = contents[identity]
        if content == nil {
            do throws(AtriumError) {
                content = try offers.package(identity).sealDigest()
            } catch {
                // An invalid package is reported later.
                if error.isEnvironmental { throw error }
            }
        }
        return blocks.first { $0.digest == content }.map {
            AtriumError(.quarantined, identity.description, reason: $0.reason)
        }
    }
}
