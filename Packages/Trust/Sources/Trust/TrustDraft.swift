import BundleFormat
import HostSystem
import Signing

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
