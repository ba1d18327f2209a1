import Signing

extension TrustStore {
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
        holder.unite(Key(key.key, revocation: key.revocation))
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
        prefixes.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
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
