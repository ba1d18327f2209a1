import HostSystem
public import PluginCore
public import Signing

extension TrustStore {
    /// Returns a store in which a team has a further key and further prefixes.
    ///
    /// A key whose validity was limited or over is valid without limit again.
    ///
    /// - Parameter name: the team's new display name; `nil` keeps the old one.
    /// - Throws: ``AtriumError`` with code `trustConflict` when a prefix or the key belongs to another team, or when a text
    ///   isn't a valid name; `trustIncomplete` when the team would own no prefix; `trustRevoked` for a revoked key.
    public func adding(
        team identifier: String, name: String?, prefixes: [String], key: VerifyingKey
    ) throws(AtriumError) -> TrustStore {
        guard BundleIdentifier.isValid(identifier) else {
            throw AtriumError(.trustConflict, identifier, reason: "teamForm")
        }
        var team = team(identifier) ?? Team(identifier, name: name ?? "")
        if let name { team.name = name }
        for prefix in prefixes {
            guard BundleIdentifier.isValid(prefix) else {
                throw AtriumError(.trustConflict, prefix, reason: "prefixForm")
            }
            if let holder = holder(ofPrefix: prefix), holder.identifier != identifier {
                throw AtriumError(.trustConflict, prefix, reason: "prefixOfTeam", ["team": .text(holder.identifier)])
            }
            team.add(prefix: prefix)
        }
        guard !team.prefixes.isEmpty else {
            throw AtriumError(.trustIncomplete, identifier)
        }
        try add(key, to: &team)
        var store = self
        store.set(team)
        return store
    }

    /// Returns a store in which a team signs with a new key, while its other keys stay valid for an overlap.
    ///
    /// - Parameters:
    ///   - overlap: the overlap in seconds, in which everybody can switch to the new key.
    ///   - now: the current time, in seconds since 1970.
    /// - Throws: ``AtriumError`` with code `trustUnknown` for an unknown team, else as ``adding(team:name:prefixes:key:)``.
    public func rotating(
        team identifier: String, to key: VerifyingKey, overlap: Int64, now: Int64
    ) throws(AtriumError) -> TrustStore {
        guard var team = team(identifier) else { throw unknown(identifier) }
        try add(key, to: &team)
        let (sum, isTooLong) = now.addingReportingOverflow(max(0, overlap))
        let end = isTooLong ? UTCTime.range.upperBound : min(sum, UTCTime.range.upperBound)
        for index in team.keys.indices where team.keys[index].key != key {
            team.keys[index].validUntil = min(team.keys[index].validUntil ?? end, end)
        }
        var store = self
        store.set(team)
        return store
    }

    /// Returns a store in which a key is revoked; a key that is revoked already keeps its time and reason.
    ///
    /// - Parameter time: the time of the revocation, in seconds since 1970.
    /// - Throws: ``AtriumError`` with code `trustUnknown`.
    public func revoking(key: KeyID, reason: String, at time: Int64) throws(AtriumError) -> TrustStore {
        guard teams.contains(where: { $0.keys.contains { $0.key.id == key } }) else { throw unknown("\(key)") }
        return revoking(reason, time) { _, other in other.key.id == key }
    }

    /// Returns a store in which all keys of a team are revoked.
    ///
    /// - Throws: ``AtriumError`` with code `trustUnknown`.
    public func revoking(team: String, reason: String, at time: Int64) throws(AtriumError) -> TrustStore {
        guard self.team(team) != nil else { throw unknown(team) }
        return revoking(reason, time) { other, _ in other.identifier == team }
    }

    private func revoking(_ reason: String, _ time: Int64, where isMeant: (Team, Key) -> Bool) -> TrustStore {
        var store = self
        for team in store.teams.indices {
            for key in store.teams[team].keys.indices where isMeant(teams[team], teams[team].keys[key]) {
                guard teams[team].keys[key].revocation == nil else { continue }
                store.teams[team].keys[key].revocation = Revocation(time: time, reason: reason)
            }
        }
        return store
    }

    /// Adds a key with unlimited validity, or removes the limit of an existing key.
    private func add(_ key: VerifyingKey, to team: inout Team) throws(AtriumError) {
        if let holder = holder(of: key), holder.identifier != team.identifier {
            throw AtriumError(.trustConflict, "\(key.id)", reason: "keyOfTeam", ["team": .text(holder.identifier)])
        }
        if let index = team.keys.firstIndex(where: { $0.key.point == key.point }) {
            if let revocation = team.keys[index].revocation {
                throw AtriumError(
                    .trustRevoked, "\(key.id)",
                    reason: "keyWasOfTeam", ["team": .text(team.identifier), "comment": .text(revocation.reason)])
            }
            guard team.keys[index].key == key else {
                throw AtriumError(
                    .trustConflict, "\(key.id)", reason: "keyKnownAs", ["key": "\(team.keys[index].key.id)"])
            }
            team.keys[index].validUntil = nil
        } else if team.keys.contains(where: { $0.key.id == key.id }) {
            throw AtriumError(.trustConflict, "\(key.id)", reason: "keyIDOfOtherKey")
        } else {
            team.keys.append(Key(key))
        }
    }

    private func unknown(_ subject: String) -> AtriumError {
        AtriumError(.trustUnknown, subject, nearest: Nearest.words(to: subject, in: teams.map(\.identifier)))
    }
}
