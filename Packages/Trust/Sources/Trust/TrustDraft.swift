import BundleFormat

/// A trust store as decoded from its file, before validation.
///
/// Fields that couldn't be read are `nil` or missing, and have been reported.
struct TrustDraft: Decodable {
    let formatVersion: Int?
    let teams: [Team]

    struct Team: Decodable {
        let team: String?
        let name: String
        let prefixes: [String]
        let keys: [Key]

        init(from decoder: any Decoder) throws {
            var fields = try ManifestFields(decoder)
            team = fields.required("team")
            name = fields.optional("name") ?? ""
            prefixes = fields.requiredList("prefixes", of: "stringExpected", limit: TrustStore.listLimit)
            keys = fields.requiredList("keys", of: "objectExpected", limit: TrustStore.listLimit)
            fields.reportUnknown()
        }
    }

    struct Key: Decodable {
        let key: String?
        let validUntil: String?
        let revoked: Revocation?

        init(from decoder: any Decoder) throws {
            var fields = try ManifestFields(decoder)
            key = fields.required("key")
            validUntil = fields.optional("validUntil")
            revoked = fields.optional("revoked")
            fields.reportUnknown()
        }
    }

    struct Revocation: Decodable {
        let time: String?
        let reason: String?

        init(from decoder: any Decoder) throws {
            var fields = try ManifestFields(decoder)
            time = fields.required("at")
            reason = fields.required("reason")
            fields.reportUnknown()
        }
    }

    init(from decoder: any Decoder) throws {
        var fields = try ManifestFields(decoder)
        formatVersion = fields.required("formatVersion")
        teams = fields.requiredList("teams", of: "objectExpected", limit: TrustStore.listLimit)
        fields.reportUnknown()
    }
}
