public import PluginCore
public import Signing

extension TrustStore {
    /// What a bundle is judged for.
    public enum Purpose: Hashable, Sendable {
        /// It is new here.
        case install
        /// It was let in when its key's time was not over.
        case load
    }

    /// The key that must have signed a bundle.
    ///
    /// - Parameters:
    ///   - keyID: the key that the signature names.
    ///   - team: the team that the seal names.
    ///   - identifier: the bundle's.
    ///   - appGroups: the app groups that the bundle declares.
    ///   - subject: what the error is to be about.
    ///   - purpose: a key whose time is over still lets load what it let in.
    ///   - time: now, in seconds since 1970.
    /// - Throws: ``AtriumError`` with code `teamUnknown`, `keyRevoked`, `teamForeign`, `groupForeign` or `keyRetired`; the first of them
    ///   that applies.
    public func judge(
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
                .teamForeign, subject, detail: "\(holder) \"\(identifier)\", and team \"\(team)\" has signed it")
        }
        for group in appGroups {
            let name = AppGroupOwnership.name(of: group)
            let owner = self.owner(of: name)
            guard owner?.identifier != team else { continue }
            let holder = owner.map { "team \"\($0.identifier)\" owns" } ?? "no team owns"
            throw AtriumError(
                .groupForeign, subject,
                detail: "\(holder) \"\(name)\", and a bundle of team \"\(team)\" declares \"\(group)\"")
        }
        if purpose == .install, key.isRetired(at: time), let end = key.validUntil {
            throw AtriumError(
                .keyRetired, subject, detail: "the time of key \(keyID) was over at \(UTCTime.text(end))")
        }
        return key.key
    }
}

extension TrustStore.Key {
    /// Returns whether its time is over.
    public func isRetired(at time: Int64) -> Bool {
        validUntil.map { time >= $0 } ?? false
    }
}
