import HostSystem
public import PluginCore
public import Signing

extension TrustStore {
    /// The reason for checking a bundle.
    public enum Purpose: Hashable, Sendable {
        /// The bundle is to be installed.
        case install
        /// The bundle is installed and is to be loaded.
        case load
    }

    /// Returns the trusted key that must have signed a bundle.
    ///
    /// - Parameters:
    ///   - keyID: the key that the signature names.
    ///   - team: the team that the seal names.
    ///   - identifier: the bundle's identifier.
    ///   - appGroups: the app groups that the bundle declares.
    ///   - subject: the subject of an error.
    ///   - purpose: the reason for the check; an expired key may not install new bundles, but those it signed before still load.
    ///   - time: the current time, in seconds since 1970.
    /// - Throws: ``AtriumError`` with the first code that applies: `teamUnknown`, `keyRevoked`, `teamForeign`, `groupForeign`
    ///   or `keyRetired`.
    public func validate(
        keyID: KeyID, team: String, identifier: String, appGroups: [String] = [], subject: String, purpose: Purpose,
        at time: Int64
    ) throws(AtriumError) -> VerifyingKey {
        guard let known = self.team(team) else {
            throw AtriumError(.teamUnknown, subject, detail: "there is no team \"\(team)\" in the trust store")
        }
        guard let key = known.keys.first(where: { $0.key.id == keyID }) else {
            throw AtriumError(.teamUnknown, subject, detail: "team \"\(team)\" has no key \(keyID) in the trust store")
        }
        if let revocation = key.revocation {
            let time = UTCTime.text(revocation.time)
            throw AtriumError(
                .keyRevoked, subject, detail: "key \(keyID) was revoked at \(time): \(revocation.reason)")
        }
        let owner = owner(of: identifier)
        guard owner?.identifier == team else {
            let holder = owner.map { "team \"\($0.identifier)\" owns" } ?? "no team owns"
            throw AtriumError(
                .teamForeign, subject, detail: "\(holder) \"\(identifier)\", but team \"\(team)\" signed it")
        }
        for group in appGroups {
            let name = AppGroupOwnership.name(of: group)
            let owner = self.owner(of: name)
            guard owner?.identifier != team else { continue }
            let holder = owner.map { "team \"\($0.identifier)\" owns" } ?? "no team owns"
            throw AtriumError(
                .groupForeign, subject,
                detail: "\(holder) \"\(name)\", but a bundle of team \"\(team)\" declares \"\(group)\"")
        }
        if purpose == .install, key.isRetired(at: time), let end = key.validUntil {
            throw AtriumError(
                .keyRetired, subject, detail: "key \(keyID) was retired at \(UTCTime.text(end))")
        }
        return key.key
    }
}

extension TrustStore.Key {
    /// Returns whether the key has expired.
    public func isRetired(at time: Int64) -> Bool {
        validUntil.map { time >= $0 } ?? false
    }
}
