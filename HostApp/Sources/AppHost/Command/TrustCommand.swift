import PluginRuntime
import BundleFormat
import Console
import FoundationEssentials
import PluginCore
import Signing
import Trust

/// The `hostapp trust` command.
let trustCommand = HostCommand("trust", subcommands: [trustList, trustAdd, trustRotate, trustRevoke])

private let team = Command.Argument.required("TEAM", kind: .host(.team))
private let key = Command.Option.value(
    "key", short: "k", placeholder: "KEY", presence: .required, kind: .file(ending: ".pub"))

/// Changes the trust file of the sandbox under the writer lock and reports the teams that changed.
@MainActor
private func change(
    _ call: HostCall, _ change: @escaping @Sendable (TrustStore) throws(AtriumError) -> TrustStore,
    told: (_ revoked: [String]) -> String
) async throws -> Answer {
    let trust = call.trust
    let (before, after) = try await call.transactions.writer.withWriterLock { try trust.change(change) }
    let changed = after.teams.filter { before.team($0.identifier) != $0 }
    let revoked = revokedKeys(of: after).filter { !revokedKeys(of: before).contains($0) }
    let sentence = changed.isEmpty ? localized("Nothing changed.") : localized("Done: \(printable(told(revoked))).")
    let listing = TrustListing(teams: changed)
    return Answer(
        text: sentence + "\n" + (changed.isEmpty ? "" : "\n" + listing.text(for: call)),
        json: ["changed": !changed.isEmpty] + listing.json)
}

/// The current time in seconds since 1970.
private func now() -> Int64 { Int64(Date().timeIntervalSince1970) }

private func revokedKeys(of store: TrustStore) -> [String] {
    store.teams.flatMap(\.keys).filter { $0.revocation != nil }.map { localized("key \($0.key.id)") }
}

/// Reads the value of the option `--key`, which is a public key or the path of its file.
///
/// - Throws: ``AtriumError`` with code `keyInvalid` for an invalid key, `fileUnknown` if there is no such file, or `inputOutput`;
///   `UsageError` with code `notUTF8`.
@MainActor
func publicKey(of call: HostCall) throws -> VerifyingKey {
    let text = call.value("key") ?? ""
    // A file name does not look like a key, which has exactly 56 letters, by accident.
    if let key = try? VerifyingKey(text) { return key }
    let path = try call.resolve(text)
    guard InputFile.isThere(path) else { throw AtriumError(.fileUnknown, text, reason: "notKeyText") }
    let data = try InputFile.content(of: path)
    guard data.count <= 4_096 else { throw AtriumError(.keyInvalid, text, reason: "keyFileTooLarge") }
    guard let content = String(validating: data, as: UTF8.self) else {
        throw AtriumError(.keyInvalid, text, reason: "notUTF8")
    }
    do {
        return try VerifyingKey(content)
    } catch {
        throw AtriumError(.keyInvalid, text, reason: error.reason)
    }
}

/// A list of teams, their prefixes and their keys at a point in time.
struct TrustListing {
    let teams: [TrustStore.Team]
    /// The time in seconds since 1970.
    private let time = now()

    /// Renders one complete line per key, and one line for a team without keys.
    @MainActor
    func text(for call: HostCall) -> String {
        let rows = teams.flatMap { team in
            let name = team.name.isEmpty ? team.identifier : "\(team.identifier) (\(team.name))"
            let prefixes = team.prefixes.isEmpty ? "-" : team.prefixes.joined(separator: ", ")
            let keys = team.keys.map { ["\($0.key.id)", words(for: $0)] }
            return (keys.isEmpty ? [["-", localized("has no key")]] : keys).map { [name, prefixes] + $0 }
        }
        let table = Table(["TEAM", "OWNS", "KEY", "STATE"], rows: rows)
        return call.text(of: table, otherwise: localized("No team is trusted.\n"))
    }

    var json: JSONText {
        [
            "teams": teams.map {
                ["team": $0.identifier, "name": $0.name, "prefixes": $0.prefixes, "keys": $0.keys.map(json)]
                    as JSONText
            }
        ]
    }

    private func json(_ key: TrustStore.Key) -> JSONText {
        [
            "keyID": "\(key.key.id)", "key": key.key.base64,
            "state": key.revocation != nil ? "revoked" : key.isRetired(at: time) ? "retired" : "valid",
            "validUntil": key.validUntil.map(timestamp),
            "revoked": key.revocation.map { ["at": timestamp($0.time), "reason": $0.reason] as JSONText },
        ]
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

private let trustList = HostCommand("list") { call in
    let listing = TrustListing(teams: try call.trust.read().teams)
    return Answer(text: listing.text(for: call), json: listing.json)
}

private let trustAdd = HostCommand(
    "add", arguments: [team],
    options: [
        key, .value("prefix", short: "p", placeholder: "PREFIX", repeatable: true), .value("name", placeholder: "TEXT"),
    ]
) { call in
    let (team, key) = (call.argument("TEAM"), try publicKey(of: call))
    let (name, prefixes) = (call.value("name"), call.parsed.values("prefix"))
    return try await change(call) { store throws(AtriumError) in
        try store.adding(team: team, name: name, prefixes: prefixes, key: key)
    } told: { _ in
        localized("key \(key.id) signs for team \(team)")
    }
}

private let trustRotate = HostCommand(
    "rotate", arguments: [team], options: [key, .value("overlap", placeholder: "DAYS", default: "30")]
) { call in
    let (team, key) = (call.argument("TEAM"), try publicKey(of: call))
    let overlap = Int64(try call.parsed.integer("overlap", in: 0...3_650) ?? 30) * 86_400
    let now = now()
    return try await change(call) { store throws(AtriumError) in
        try store.rotating(team: team, to: key, overlap: overlap, now: now)
    } told: { _ in
        hostText("teamRotated", team, key.id, timestamp(now + overlap))
    }
}

private let trustRevoke = HostCommand(
    "revoke", arguments: [.required("KEYID|TEAM", kind: .host(.team))],
    options: [.value("reason", placeholder: "TEXT", presence: .required)]
) { call in
    let name = call.argument("KEYID|TEAM")
    let reason = call.value("reason") ?? ""
    let (now, id) = (now(), try? KeyID(name))
    return try await change(call) { store throws(AtriumError) in
        // A team's name contains a dot, a key's id does not.
        guard let id else { return try store.revoking(team: name, reason: reason, at: now) }
        return try store.revoking(key: id, reason: reason, at: now)
    } told: { revoked in
        hostText("keysRevoked", revoked.joined(separator: ", "))
    }
}
