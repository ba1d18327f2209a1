import ExtensionActivation
import PluginCore

/// A manifest as decoded from its file, before validation.
///
/// Fields that couldn't be read are `nil` or missing, and have been reported.
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
    var services: [String] = []
    var extensions: [Extension] = []
    var extensionPoints: [Point] = []
    var permissions: [String] = []
    var isolation: String?
    var dataVersion: Int?
    var dataCopyLimit: Int?
    var license: String?
    var homepage: String?

    struct Requirement: Decodable {
        let bundle: String?
        let versions: String?
        let onDemand: Bool?

        init(from decoder: any Decoder) throws {
            var fields = try ManifestFields(decoder)
            bundle = fields.required("bundle")
            versions = fields.required("versions")
            onDemand = fields.optional("onDemand")
            fields.reportUnknown()
        }

        init(_ requirement: BundleRequirement) {
            bundle = requirement.identifier.text
            versions = requirement.versions.description
            onDemand = nil
        }
    }

    struct Route: Decodable, Equatable {
        /// Its place for a report; `nil` for its index in the file.
        var place: String?
        var pattern: String?
        var page: String?
        var handler: String?
        var object: String?
        var layout: String?
        var guards: [String]?
        var priority: Int?
        var exposure: String?
        var deadline: Double?
        var mayDecline: Bool?

        init(from decoder: any Decoder) throws {
            var fields = try ManifestFields(decoder)
            pattern = fields.required("pattern")
            page = fields.optional("page")
            handler = fields.optional("handler")
            object = fields.optional("object")
            layout = fields.optional("layout")
            guards = fields.optionalList("guards", of: "stringExpected", limit: ManifestLimits.guards)
            priority = fields.optional("priority")
            exposure = fields.optional("exposure")
            deadline = fields.optional("deadline")
            mayDecline = fields.optional("mayDecline")
            fields.reportUnknown()
        }
    }

    struct Target: Decodable {
        /// Its place for a report; `nil` for its index in the file.
        var place: String?
        var name: String?
        var actions: [Action]

        init(from decoder: any Decoder) throws {
            var fields = try ManifestFields(decoder)
            name = fields.required("name")
            actions = fields.requiredList("actions", of: "stringOrObjectExpected", limit: ManifestLimits.actions)
            fields.reportUnknown()
        }
    }

    /// An action: its name alone, or an object with more fields.
    struct Action: Decodable {
        /// Its place for a report; `nil` for its index in the file.
        var place: String?
        var name: String?
        var exposure: String?

        init(from decoder: any Decoder) throws {
            if let name = try? decoder.singleValueContainer().decode(String.self) {
                self.name = name
                exposure = nil
                return
            }
            var fields = try ManifestFields(decoder)
            name = fields.required("name")
            exposure = fields.optional("exposure")
            fields.reportUnknown()
        }
    }

    struct Extension: Decodable {
        var identifier: String?
        var point: String?
        var entry: String?
        var name: String?
        var activation: ActivationSource?
        var limits: LoweredLimits

        init(from decoder: any Decoder) throws {
            var fields = try ManifestFields(decoder)
            identifier = fields.required("identifier")
            point = fields.optional("point")
            entry = fields.required("entry")
            name = fields.required("name")
            activation = fields.optional("activation", of: "objectExpected")
            limits = fields.limits()
            fields.reportUnknown()
        }
    }

    struct Point: Decodable {
        /// Its place for a report; `nil` for its index in the file.
        var place: String?
        var identifier: String?
        var limits: LoweredLimits

        init(from decoder: any Decoder) throws {
            var fields = try ManifestFields(decoder)
            identifier = fields.required("identifier")
            limits = fields.limits()
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
        requires = fields.list("requires", limit: ManifestLimits.requirements)
        appGroups = fields.list("appGroups", of: "stringExpected", limit: ManifestLimits.appGroups)
        routes = fields.list("routes", limit: ManifestLimits.routes)
        targets = fields.list("targets", limit: ManifestLimits.targets)
        services = fields.list("services", of: "stringExpected", limit: ManifestLimits.services)
        extensions = fields.list("extensions", limit: ManifestLimits.extensions)
        extensionPoints = fields.list("extensionPoints", limit: ManifestLimits.extensionPoints)
        permissions = fields.list("permissions", of: "stringExpected", limit: ManifestLimits.permissions)
        isolation = fields.optional("isolation")
        dataVersion = fields.optional("dataVersion")
        dataCopyLimit = fields.optional("dataCopyLimit")
        license = fields.optional("license")
        homepage = fields.optional("homepage")
        fields.reportUnknown()
    }
}
