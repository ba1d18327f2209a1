import BundleFormat
import HostSystem
import FoundationEssentials
public import PluginCore
import Signing

extension TrustStore {
    /// The only supported format version.
    public static let formatVersion = 1

    /// The maximum size of a trust store's file, in bytes; larger files are rejected unread.
    public static let sizeLimit = 1 << 20

    /// The maximum number of teams, prefixes or keys in a list; longer lists are rejected.
    static let listLimit = 8192

    /// Reads a trust store's file.
    ///
    /// - Parameter name: the subject of an error: the file's path.
    /// - Throws: ``AtriumError`` with code `trustInvalid` and one problem for each violated rule, with its place
    ///   (`teams[0].keys[1].key: ...`).
    public init(reading bytes: [UInt8], named name: String) throws(AtriumError) {
        guard bytes.count <= Self.sizeLimit else {
            throw AtriumError(.trustInvalid, name, reason: .tooLarge(bytes.count, limit: Self.sizeLimit))
        }
        let problems = ManifestProblems()
        do {
            self = try ManifestFields.read(bytes, reporting: problems) { $0.trustStore() }
        } catch let error as JSONError {
            throw AtriumError(.trustInvalid, name, reason: .verbatim(error.description))
        } catch {
            throw AtriumError(.trustInvalid, name, reason: "notTrustStore")
        }
        guard problems.all.isEmpty else { throw AtriumError(.trustInvalid, name, problems: problems.all) }
    }

    /// Returns the file's content; equal stores have equal content.
    public func encoded() -> [UInt8] {
        let teams = teams.map { team in
            ManifestJSON.object([
                "team": .string(team.identifier), "name": .string(team.name),
                "prefixes": .list(team.prefixes.map { .string($0) }), "keys": .list(team.keys.map(\.json)),
            ])
        }
        return ManifestJSON.object(["formatVersion": .integer(Self.formatVersion), "teams": .list(teams)]).content
    }
}

extension TrustStore.Key {
    fileprivate var json: ManifestJSON {
        var fields: [String: ManifestJSON] = ["key": .string(key.base64)]
        fields["validUntil"] = validUntil.map { .string(UTCTime.text($0)) }
        fields["revoked"] = revocation.map {
            .object(["at": .string(UTCTime.text($0.time)), "reason": .string($0.reason)])
        }
        return .object(fields)
    }
}

// The rules of a trust store: of each field alone, and of the teams together.
extension ManifestFields {
    /// Reads a store, which is valid only if no problem is reported.
    fileprivate func trustStore() -> TrustStore {
        if let format: Int = value("formatVersion", isRequired: true), format != TrustStore.formatVersion {
            problems.add("formatVersion", .format(format, newest: TrustStore.formatVersion))
        }
        var store = TrustStore.empty
        var (names, prefixes, points) = (Set<String>(), Set<String>(), Set<[UInt8]>())
        let teams = objects("teams", isRequired: true, limit: TrustStore.listLimit) { fields in
            let name = fields.text("team", isRequired: true)
            var team = TrustStore.Team(name ?? "", name: fields.text("name") ?? "")
            if let name {
                fields.requireName(name, at: fields.place(of: "team"))
                if !names.insert(name).inserted { fields.report("team", "teamTwice", ["team": .text(name)]) }
            }
            let own = fields.texts("prefixes", isRequired: true, limit: TrustStore.listLimit) { prefix, place in
                fields.requireName(prefix, at: place)
                if !prefixes.insert(prefix).inserted {
                    fields.problems.add(place, "prefixTwice", ["prefix": .text(prefix)])
                }
            }
            for prefix in own { team.add(prefix: prefix) }
            var identifiers: Set<String> = []
            team.keys = fields.objects("keys", isRequired: true, limit: TrustStore.listLimit) { fields in
                guard let key = fields.trustedKey() else { return nil }
                // A key ID must identify one key within a team, and a key must belong to one team.
                if !points.insert(key.key.point).inserted { fields.report("key", "keyTwice") }
                if !identifiers.insert("\(key.key.id)").inserted {
                    fields.report("key", "keyIDTwice", ["key": "\(key.key.id)"])
                }
                return key
            }
            return team
        }
        for team in teams { store.set(team) }
        return store
    }

    private func trustedKey() -> TrustStore.Key? {
        let text = text("key", isRequired: true)
        let end = time("validUntil")
        let revocation = object("revoked") { fields in
            let time = fields.time("at", isRequired: true)
            let reason = fields.text("reason", isRequired: true)
            if reason?.isEmpty == true { fields.report("reason", "empty") }
            return TrustStore.Revocation(time: time ?? 0, reason: reason ?? "")
        }
        guard let text else { return nil }
        do {
            return TrustStore.Key(key: try VerifyingKey(text), validUntil: end, revocation: revocation)
        } catch {
            problems.add(place(of: "key"), error.reason)
            return nil
        }
    }

    private func requireName(_ text: String, at place: String) {
        if !BundleIdentifier.isValid(text) { problems.add(place, "notTeamName", ["text": .text(text)]) }
    }

    private func time(_ name: String, isRequired: Bool = false) -> Int64? {
        text(name, isRequired: isRequired, or: "notTime") { UTCTime.seconds($0) != nil }.flatMap { UTCTime.seconds($0) }
    }
}
