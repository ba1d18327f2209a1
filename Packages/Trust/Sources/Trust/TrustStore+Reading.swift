import BundleFormat
import HostSystem
internal import FoundationEssentials
public import PluginCore
internal import Signing

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
        let draft: TrustDraft
        do {
            draft = try StrictJSON.decode(TrustDraft.self, from: bytes, userInfo: problems.userInfo)
        } catch let error as JSONError {
            throw AtriumError(.trustInvalid, name, reason: .verbatim(error.description))
        } catch {
            throw AtriumError(.trustInvalid, name, reason: "notTrustStore")
        }
        self = draft.validated(problems)
        guard problems.all.isEmpty else { throw AtriumError(.trustInvalid, name, problems: problems.all) }
    }

    /// Returns the file's content; equal stores have equal content.
    public func encoded() -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Encoding can't fail: the document has only strings and a small number.
        return [UInt8]((try? encoder.encode(TrustDraft(self))) ?? Data()) + [UInt8(ascii: "\n")]
    }
}

/// A trust store as it is in its file, before validation.
///
/// Fields that couldn't be read are `nil` or missing, and have been reported.
struct TrustDraft: Codable {
    let formatVersion: Int?
    let teams: [Team]

    struct Team: Codable {
        let team: String?
        let name: String
        let prefixes: [String]
        let keys: [Key]
    }

    struct Key: Codable {
        let key: String?
        let validUntil: String?
        let revoked: Revocation?
    }

    struct Revocation: Codable {
        let at: String?
        let reason: String?
    }

    /// Creates the content of a file.
    init(_ store: TrustStore) {
        formatVersion = TrustStore.formatVersion
        teams = store.teams.map { team in
            let keys = team.keys.map { key in
                Key(
                    key: key.key.base64, validUntil: key.validUntil.map(UTCTime.text),
                    revoked: key.revocation.map { Revocation(at: UTCTime.text($0.time), reason: $0.reason) })
            }
            return Team(team: team.identifier, name: team.name, prefixes: team.prefixes, keys: keys)
        }
    }

    init(from decoder: any Decoder) throws {
        var fields = try ManifestFields(decoder)
        formatVersion = fields.required("formatVersion")
        teams = fields.requiredList("teams", of: "objectExpected", limit: TrustStore.listLimit)
        fields.reportUnknown()
    }
}

extension TrustDraft.Team {
    init(from decoder: any Decoder) throws {
        var fields = try ManifestFields(decoder)
        team = fields.required("team")
        name = fields.optional("name") ?? ""
        prefixes = fields.requiredList("prefixes", of: "stringExpected", limit: TrustStore.listLimit)
        keys = fields.requiredList("keys", of: "objectExpected", limit: TrustStore.listLimit)
        fields.reportUnknown()
    }
}

extension TrustDraft.Key {
    init(from decoder: any Decoder) throws {
        var fields = try ManifestFields(decoder)
        key = fields.required("key")
        validUntil = fields.optional("validUntil")
        revoked = fields.optional("revoked")
        fields.reportUnknown()
    }
}

extension TrustDraft.Revocation {
    init(from decoder: any Decoder) throws {
        var fields = try ManifestFields(decoder)
        at = fields.required("at")
        reason = fields.required("reason")
        fields.reportUnknown()
    }
}

// The rules of a trust store: of each field alone, and of the teams together.
extension TrustDraft {
    /// Returns the store, which is valid only if no problem is reported.
    fileprivate func validated(_ problems: ManifestProblems) -> TrustStore {
        if let formatVersion, formatVersion != TrustStore.formatVersion {
            problems.add("formatVersion", .format(formatVersion, newest: TrustStore.formatVersion))
        }
        var store = TrustStore.empty
        var (names, prefixes, points) = (Set<String>(), Set<String>(), Set<[UInt8]>())
        for (index, draft) in teams.enumerated() {
            let place = "teams[\(index)]"
            var team = TrustStore.Team(draft.team ?? "", name: draft.name)
            if let name = draft.team {
                problems.requireName(name, at: place + ".team")
                if !names.insert(name).inserted { problems.add(place + ".team", "teamTwice", ["team": .text(name)]) }
            }
            for (index, prefix) in draft.prefixes.enumerated() {
                let place = "\(place).prefixes[\(index)]"
                problems.requireName(prefix, at: place)
                if !prefixes.insert(prefix).inserted { problems.add(place, "prefixTwice", ["prefix": .text(prefix)]) }
                team.add(prefix: prefix)
            }
            for (index, draft) in draft.keys.enumerated() {
                let place = "\(place).keys[\(index)]"
                guard let key = draft.validated(problems, at: place) else { continue }
                // A key ID must identify one key within a team, and a key must belong to one team.
                if !points.insert(key.key.point).inserted { problems.add(place + ".key", "keyTwice") }
                if team.keys.contains(where: { $0.key.id == key.key.id }) {
                    problems.add(place + ".key", "keyIDTwice", ["key": "\(key.key.id)"])
                }
                team.keys.append(key)
            }
            store.set(team)
        }
        return store
    }
}

extension TrustDraft.Key {
    fileprivate func validated(_ problems: ManifestProblems, at place: String) -> TrustStore.Key? {
        let end = validUntil.flatMap { problems.time($0, at: place + ".validUntil") }
        let revocation = revoked.map { revoked in
            if revoked.reason?.isEmpty == true { problems.add(place + ".revoked.reason", "empty") }
            let time = revoked.at.flatMap { problems.time($0, at: place + ".revoked.at") }
            return TrustStore.Revocation(time: time ?? 0, reason: revoked.reason ?? "")
        }
        guard let key else { return nil }
        do throws(SigningError) {
            return TrustStore.Key(try VerifyingKey(key), validUntil: end, revocation: revocation)
        } catch {
            problems.add(place + ".key", error.reason)
            return nil
        }
    }
}

extension ManifestProblems {
    fileprivate func requireName(_ text: String, at place: String) {
        if !BundleIdentifier.isValid(text) { add(place, "notTeamName", ["text": .text(text)]) }
    }

    fileprivate func time(_ text: String, at place: String) -> Int64? {
        let time = UTCTime.seconds(text)
        if time == nil { add(place, "notTime", ["text": .text(text)]) }
        return time
    }
}
