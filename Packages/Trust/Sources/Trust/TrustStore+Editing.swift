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
            team.keys.append(Key(key: key))
        }
    }

    private func unknown(_ subject: String) -> AtriumError {
        AtriumError(.trustUnknown, subject, nearest: Nearest.words(to: subject, in: teams.map(\.identifier)))
    }

    /// Merges two stores by team: prefixes and keys are united, a revocation stays, and the earlier expiration of a key wins.
    ///
    /// In conflicts this store wins: its name of a team, its owner of a prefix or a key, its key of an ID.
    public func merged(with other: TrustStore) -> TrustStore {
        var merged = self
        for team in other.teams {
            var united = merged.team(team.identifier) ?? Team(team.identifier, name: team.name)
            if united.name.isEmpty { united.name = team.name }
            for prefix in team.prefixes where holder(ofPrefix: prefix) == nil { united.add(prefix: prefix) }
            for key in team.keys {
                if let holder = holder(of: key.key), holder.identifier != team.identifier {
                    merged.revoke(key, of: holder.identifier)
                } else {
                    united.unite(key)
                }
            }
            merged.set(united)
        }
        return merged
    }

    /// Applies the revocation of a key that the other store assigns to another team.
    private mutating func revoke(_ key: Key, of team: String) {
        guard key.revocation != nil, var holder = self.team(team) else { return }
        holder.unite(Key(key: key.key, revocation: key.revocation))
        set(holder)
    }

    /// Returns the store that has to be written so that another store, merged with it, equals this one.
    ///
    /// - Parameters:
    ///   - other: the other store, whose content need not be repeated.
    ///   - written: the store written before, whose content stays even if the other store contains it by now.
    func addition(to other: TrustStore, keeping written: TrustStore) -> TrustStore {
        TrustStore(
            teams: teams.compactMap { team in
                let (there, before) = (other.team(team.identifier), written.team(team.identifier))
                var added = team
                added.prefixes.removeAll { prefix in
                    there?.prefixes.contains(prefix) == true && before?.prefixes.contains(prefix) != true
                }
                added.keys.removeAll { key in
                    there?.keys.contains(key) == true && before?.keys.contains { $0.key == key.key } != true
                }
                let isNew = there == nil || before != nil || !added.prefixes.isEmpty || !added.keys.isEmpty
                return isNew ? added : nil
            })
    }
}

extension TrustStore.Team {
    init(_ identifier: String, name: String) {
        self.init(identifier: identifier, name: name, prefixes: [], keys: [])
    }

    mutating func add(prefix: String) {
        guard !prefixes.contains(prefix) else { return }
        prefixes.append(prefix)
        prefixes.sort { $0.isBefore($1) }
    }

    /// Adds a key, or merges the restrictions of an existing key.
    fileprivate mutating func unite(_ key: TrustStore.Key) {
        if let index = keys.firstIndex(where: { $0.key.point == key.key.point }) {
            keys[index].revocation = Self.earlier(keys[index].revocation, key.revocation)
            keys[index].validUntil = [keys[index].validUntil, key.validUntil].compactMap { $0 }.min()
        } else if !keys.contains(where: { $0.key.id == key.key.id }) {
            keys.append(key)
        }
    }

    private static func earlier(
        _ one: TrustStore.Revocation?, _ other: TrustStore.Revocation?
    ) -> TrustStore.Revocation? {
        guard let one, let other else { return one ?? other }
        return one.time <= other.time ? one : other
    }
}
