/// A manifest as it stands in the file: whatever could be read of it. What could not has been reported.
struct ManifestDraft: Decodable {
    var formatVersion: Int?
    var identifier: String?
    var version: String?
    var name: String?
    var summary: String?
    var kind: String?
    var entry: String?
    var coreABI: Int?
    var requires: [Requirement] = []
    var appGroups: [String] = []
    var routes: [Route] = []
    var targets: [Target] = []

    struct Requirement: Decodable {
        let bundle: String?
        let versions: String?

        init(from decoder: any Decoder) throws {
            var fields = try ManifestFields(decoder)
            bundle = fields.required("bundle")
            versions = fields.required("versions")
            fields.reportUnknown()
        }
    }

    struct Route: Decodable {
        let pattern: String?
        let page: String?
        let handler: String?
        let object: String?
        let layout: String?
        let guards: [String]

        init(from decoder: any Decoder) throws {
            var fields = try ManifestFields(decoder)
            pattern = fields.required("pattern")
            page = fields.optional("page")
            handler = fields.optional("handler")
            object = fields.optional("object")
            layout = fields.optional("layout")
            guards = fields.optional("guards") ?? []
            fields.reportUnknown()
        }
    }

    struct Target: Decodable {
        let name: String?
        let actions: [String]

        init(from decoder: any Decoder) throws {
            var fields = try ManifestFields(decoder)
            name = fields.required("name")
            actions = fields.required("actions") ?? []
            fields.reportUnknown()
        }
    }

    init(from decoder: any Decoder) throws {
        var fields = try ManifestFields(decoder)
        formatVersion = fields.required("formatVersion")
        identifier = fields.required("identifier")
        version = fields.required("version")
        name = fields.required("name")
        summary = fields.optional("summary")
        kind = fields.required("kind")
        entry = fields.optional("entry")
        coreABI = fields.optional("coreABI")
        requires = fields.list("requires")
        appGroups = fields.optional("appGroups") ?? []
        routes = fields.list("routes")
        targets = fields.list("targets")
        fields.reportUnknown()
    }
}
