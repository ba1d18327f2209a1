package import PluginCore

/// A manifest as decoded from its file, before validation.
///
/// Fields that couldn't be read are `nil` or missing, and have been reported.
package struct ManifestDraft: Decodable {
    package var formatVersion: Int?
    package var identifier: String?
    package var version: String?
    package var name: String?
    package var summary: String?
    package var kind: String?
    package var entry: String?
    package var coreABI: Int?
    package var requires: [Requirement] = []
    package var appGroups: [String] = []
    package var routes: [Route] = []
    package var targets: [Target] = []
    package var services: [String] = []
    package var extensions: [Extension] = []
    package var extensionPoints: [Point] = []
    package var permissions: [String] = []
    package var isolation: String?
    package var dataVersion: Int?
    package var dataCopyLimit: Int?
    package var license: String?
    package var homepage: String?

    package struct Requirement: Decodable {
        package let bundle: String?
        package let versions: String?
        package let onDemand: Bool?

        package init(from decoder: any Decoder) throws {
            var fields = try ManifestFields(decoder)
            bundle = fields.required("bundle")
            versions = fields.required("versions")
            onDemand = fields.optional("onDemand")
            fields.reportUnknown()
        }

        package init(_ requirement: BundleRequirement) {
            bundle = requirement.identifier.text
            versions = requirement.versions.description
            onDemand = nil
        }
    }

    package struct Route: Decodable, Equatable {
        /// Its place for a report; `nil` for its index in the file.
        package var place: String?
        package var pattern: String?
        package var page: String?
        package var handler: String?
        package var object: String?
        package var layout: String?
        package var guards: [String]?
        package var priority: Int?
        package var exposure: String?
        package var deadline: Double?
        package var mayDecline: Bool?

        package init() {}

        package init(from decoder: any Decoder) throws {
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

    package struct Target: Decodable {
        /// Its place for a report; `nil` for its index in the file.
        package var place: String?
        package var name: String?
        package var actions: [Action] = []

        package init() {}

        package init(from decoder: any Decoder) throws {
            var fields = try ManifestFields(decoder)
            name = fields.required("name")
            actions = fields.requiredList("actions", of: "stringOrObjectExpected", limit: ManifestLimits.actions)
            fields.reportUnknown()
        }
    }

    /// An action: its name alone, or an object with more fields.
    package struct Action: Decodable {
        /// Its place for a report; `nil` for its index in the file.
        package var place: String?
        package var name: String?
        package var exposure: String?

        package init() {}

        package init(from decoder: any Decoder) throws {
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

    package struct Extension: Decodable {
        package var identifier: String?
        package var point: String?
        package var entry: String?
        package var name: String?
        package var activation: ManifestJSON?
        package var limits: [String: Double]

        package init(from decoder: any Decoder) throws {
            var fields = try ManifestFields(decoder)
            identifier = fields.required("identifier")
            point = fields.optional("point")
            entry = fields.required("entry")
            name = fields.required("name")
            activation = fields.optional("activation")
            limits = fields.limits()
            fields.reportUnknown()
        }
    }

    package struct Point: Decodable {
        /// Its place for a report; `nil` for its index in the file.
        package var place: String?
        package var identifier: String?
        package var limits: [String: Double] = [:]

        package init() {}

        package init(from decoder: any Decoder) throws {
            var fields = try ManifestFields(decoder)
            identifier = fields.required("identifier")
            limits = fields.limits()
            fields.reportUnknown()
        }
    }

    package init(from decoder: any Decoder) throws {
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
