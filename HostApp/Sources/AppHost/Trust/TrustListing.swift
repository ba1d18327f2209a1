import Trust
import Console
import PluginRuntime
import Signing

/// A list of teams, their prefixes and their keys at a point in time.
struct TrustListing {
    private let teams: [TrustStore.Team]
    private let time: Int64

    /// Creates a list.
    ///
    /// - Parameter time: the time in seconds since 1970.
    init(_ teams: [TrustStore.Team], at time: Int64) {
        self.teams = teams
        self.time = time
    }

    /// Renders one complete line per key, and one line for a team without keys.
    func text(for terminal: Terminal) -> String {
        var table = Table([Table.Column("TEAM"), Table.Column("OWNS"), Table.Column("KEY"), Table.Column("STATE")])
        for team in teams {
            let name = team.name.isEmpty ? team.identifier : "\(team.identifier) (\(team.name))"
            let prefixes = team.prefixes.isEmpty ? "-" : team.prefixes.joined(separator: ", ")
            if team.keys.isEmpty { table.add([name, prefixes, "-", localized("has no key")]) }
            for key in team.keys { table.add([name, prefixes, "\(key.key.id)", words(for: key)]) }
        }
        return table.isEmpty ? localized("No team is trusted.\n") : table.rendered(for: terminal)
    }

    /// Returns the list as JSON.
    ///
    /// - Parameter more: members that precede the teams.
    func json(_ more: (String, JSONText)...) -> JSONText {
        let teams = teams.map { team -> JSONText in
            [
                "team": .string(team.identifier), "name": .string(team.name), "prefixes": .strings(team.prefixes),
                "keys": .array(team.keys.map(json)),
            ]
        }
        return .object(more + [("teams", .array(teams))])
    }

    private func json(_ key: TrustStore.Key) -> JSONText {
        [
            "keyID": .string("\(key.key.id)"), "key": .string(key.key.base64), "state": .string(state(of: key)),
            "validUntil": .string(orNull: key.validUntil.map(timestamp)),
            "revoked": key.revocation.map {
                ["at": .string(timestamp($0.time)), "reason": .string($0.reason)]
            } ?? .null,
        ]
    }

    private func state(of key: TrustStore.Key) -> String {
        key.revocation != nil ? "revoked" : key.isRetired(at: time) ? "retired" : "valid"
    }

    private func words(for key: TrustStore.Key) -> String {
        if let revocation = key.revocation {
            return localized("revoked at \(timestamp(revocation.time)): \(revocation.reason)")
        }
        guard let end = key.validUntil.map(timestamp) else { return localized("valid") }
        return key.isRetired(at: time)
            ? localized("retired since \(end): no new installs") : localized("valid until \(end)")
    }
}
