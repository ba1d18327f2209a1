import Signing

extension TrustStore {
    /// What two files say together. Teams are told by identifier; prefixes and keys are united, a revocation stays one, and
    /// of two ends of a key's time the earlier counts.
    ///
    /// Where they contradict each other, this store is right: its name of a team, its owner of a prefix or a key, its key of an id.
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

    /// Takes over that a key was revoked, from one who took it for another team's.
    private mutating func revoke(_ key: Key, of team: String) {
        guard key.revocation != nil, var holder = self.team(team) else { return }
        holder.unite(Key(key.key, revocation: key.revocation))
        set(holder)
    }

    /// What must be written beside another store, so that the two merged say what this one says.
    ///
    /// - Parameters:
    ///   - other: what need not be written.
    ///   - written: what was written before, and stays, whether the other says it by now or not.
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

    /// Adds a key, or what is said of one that is here.
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
