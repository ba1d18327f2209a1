import BundleFormat
import HostSystem
import PluginCore
import Signing

/// Validates a decoded trust store: each field alone, and the teams together.
struct TrustRules {
    let problems: ManifestProblems

    /// Returns the teams, which are valid only if no problem was reported.
    func validate(_ draft: TrustDraft) -> [TrustStore.Team] {
        if let format = draft.formatVersion, format != TrustStore.formatVersion {
            problems.add("formatVersion", .format(format, newest: TrustStore.formatVersion))
        }
        unique(draft.teams.enumerated().compactMap { index, team in team.team.map { ("teams[\(index)].team", $0) } }) {
            ErrorReason("teamTwice", ["team": .text($0)])
        }
        unique(
            draft.teams.enumerated().flatMap { index, team in
                team.prefixes.enumerated().map { ("teams[\(index)].prefixes[\($0)]", $1) }
            }
        ) { ErrorReason("prefixTwice", ["prefix": .text($0)]) }
        let teams = draft.teams.enumerated().map { team($1, at: "teams[\($0)]") }
        let keys = teams.flatMap(\.keys)
        // A key ID must identify one key within a team, and a key must belong to one team.
        unique(keys.map { ($0.place, $0.key.key.point) }) { _ in ErrorReason("keyTwice") }
        for team in teams {
            unique(team.keys.map { ($0.place, $0.key.key.id) }) { ErrorReason("keyIDTwice", ["key": "\($0)"]) }
        }
        return teams.map { team in
            TrustStore.Team(
                identifier: team.identifier, name: team.name,
                prefixes: team.prefixes.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) },
                keys: team.keys.map(\.key))
        }
    }

    private typealias PlacedKey = (place: String, key: TrustStore.Key)

    private func team(
        _ draft: TrustDraft.Team, at place: String
    ) -> (identifier: String, name: String, prefixes: [String], keys: [PlacedKey]) {
        if let identifier = draft.team, !BundleIdentifier.isValid(identifier) {
            problems.add(place + ".team", "notTeamName", ["text": .text(identifier)])
        }
        for (index, prefix) in draft.prefixes.enumerated() where !BundleIdentifier.isValid(prefix) {
            problems.add(
                "\(place).prefixes[\(index)]", "notTeamName", ["text": .text(prefix)])
        }
        let keys = draft.keys.enumerated().compactMap { index, draft -> PlacedKey? in
            let place = "\(place).keys[\(index)]"
            return validate(draft, at: place).map { (place + ".key", $0) }
        }
        return (draft.team ?? "", draft.name, draft.prefixes, keys)
    }

    private func validate(_ draft: TrustDraft.Key, at place: String) -> TrustStore.Key? {
        let end = draft.validUntil.flatMap { time($0, at: place + ".validUntil") }
        let revocation = draft.revoked.map { validate($0, at: place + ".revoked") }
        guard let text = draft.key else { return nil }
        do throws(SigningError) {
            return TrustStore.Key(try VerifyingKey(text), validUntil: end, revocation: revocation)
        } catch {
            problems.add(place + ".key", error.reason)
            return nil
        }
    }

    private func validate(_ draft: TrustDraft.Revocation, at place: String) -> TrustStore.Revocation {
        if draft.reason?.isEmpty == true { problems.add(place + ".reason", "empty") }
        return TrustStore.Revocation(
            time: draft.at.flatMap { time($0, at: place + ".at") } ?? 0, reason: draft.reason ?? "")
    }

    private func time(_ text: String, at place: String) -> Int64? {
        guard let time = UTCTime.seconds(text) else {
            problems.add(place, "notTime", ["text": .text(text)])
            return nil
        }
        return time
    }

    private func unique<Value: Hashable>(
        _ values: [(place: String, value: Value)], problem: (Value) -> ErrorReason
    ) {
        var seen: Set<Value> = []
        for (place, value) in values where !seen.insert(value).inserted { problems.add(place, problem(value)) }
    }
}
