public import BundleFormat
import HostSystem
public import PluginCore
public import Signing

extension TrustStore {
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
        keyID: KeyID, team: String, identifier: BundleIdentifier, appGroups: [String] = [], subject: String,
        purpose: VerificationPurpose,
        at time: Int64
    ) throws(AtriumError) -> VerifyingKey {
        guard let known = self.team(team) else {
            throw AtriumError(.teamUnknown, subject, reason: "noTeam", ["team": .text(team)])
        }
        guard let key = known.keys.first(where: { $0.key.id == keyID }) else {
            throw AtriumError(
                .teamUnknown, subject, reason: "teamWithoutKey", ["team": .text(team), "key": "\(keyID)"])
        }
        if let revocation = key.revocation {
            let time = UTCTime.text(revocation.time)
            throw AtriumError(
                .keyRevoked, subject, reason: "keyRevokedAt",
                ["key": "\(keyID)", "time": .text(time), "comment": .text(revocation.reason)])
        }
        let owner = owner(of: identifier.text)
        guard owner?.identifier == team else {
            throw AtriumError(
                .teamForeign, subject, reason: owner == nil ? "identifierOfNoTeam" : "identifierOfOtherTeam",
                ["owner": .text(owner?.identifier ?? ""), "identifier": .text(identifier), "team": .text(team)])
        }
        for group in appGroups {
            let name = AppGroupOwnership.name(of: group)
            let owner = self.owner(of: name)
            guard owner?.identifier != team else { continue }
            throw AtriumError(
                .groupForeign, subject, reason: owner == nil ? "signedGroupOfNoTeam" : "signedGroupOfOtherTeam",
                [
                    "owner": .text(owner?.identifier ?? ""), "owned": .text(name), "team": .text(team),
                    "group": .text(group),
                ])
        }
        if purpose == .install, key.isRetired(at: time), let end = key.validUntil {
            throw AtriumError(
                .keyRetired, subject, reason: "keyRetiredAt", ["key": "\(keyID)", "time": .text(UTCTime.text(end))])
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
