import BundleFormat
internal import FoundationEssentials
import PluginCore

extension Manifest {
    /// Returns the manifest as the content of a file: the same for equal manifests, and without fields that have their defaults.
    package func encoded() -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Encoding cannot fail: a validated manifest contains strings, Boolean values and finite numbers only.
        let text = (try? encoder.encode(fields)).map(Array.init) ?? []
        return text + [UInt8(ascii: "\n")]
    }

    private var fields: Fields {
        [
            "formatVersion": ManifestReader.formatVersion, "identifier": identity.identifier.text,
            "version": identity.version.description, "name": name, "summary": summary.isEmpty ? nil : summary,
            "kind": kind.rawValue, "entry": entry, "coreABI": entry == nil ? nil : coreABI,
            "requires": requirements.map(Fields.init).nonEmpty, "appGroups": appGroups.nonEmpty,
            "routes": routes.map(Fields.init).nonEmpty, "targets": targets.map(Fields.init).nonEmpty,
            "services": services.nonEmpty, "extensions": extensions.map(Fields.init).nonEmpty,
            "extensionPoints": extensionPoints.map(Fields.init).nonEmpty,
            "permissions": permissions.map(\.rawValue).nonEmpty,
            "isolation": isolation == .host ? nil : isolation.rawValue,
            "dataVersion": dataVersion == 0 ? nil : dataVersion,
            "dataCopyLimit": dataCopyLimit == Self.defaultDataCopyLimit ? nil : dataCopyLimit,
            "license": license, "homepage": homepage,
        ]
    }
}

/// The fields of a JSON object; those without a value are left out.
private struct Fields: Encodable, ExpressibleByDictionaryLiteral {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private let fields: [(String, (any Encodable)?)]

    init(dictionaryLiteral fields: (String, (any Encodable)?)...) { self.fields = fields }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Name.self)
        for case (let name, let value?) in fields { try container.encode(value, forKey: Name(stringValue: name)) }
    }
}

extension Fields {
    init(_ requirement: BundleRequirement) {
        self = [
            "bundle": requirement.identifier.text, "versions": requirement.versions.description,
            "onDemand": requirement.isOnDemand ? true : nil,
        ]
    }

    init(_ route: RouteDeclaration) {
        self = [
            "pattern": route.pattern, route.kind.rawValue: route.name, "layout": route.layout,
            "guards": route.guards.nonEmpty, "priority": route.priority == 0 ? nil : route.priority,
            "exposure": route.exposure == .plugins ? nil : route.exposure, "deadline": route.deadline,
            "mayDecline": route.mayDecline ? true : nil,
        ]
    }

    init(_ target: TargetDeclaration) {
        let actions: [Fields] = target.actions.map {
            ["name": $0.name, "exposure": $0.exposure == .plugins ? nil : $0.exposure]
        }
        self = ["name": target.name, "actions": actions]
    }

    init(_ declared: ExtensionDeclaration) {
        self = [
            "identifier": declared.identifier.text, "point": declared.point, "entry": declared.entry,
            "name": declared.name,
            "activation": declared.activation.flatMap {
                try? StrictJSON.decode(ManifestJSON.self, from: Array($0.utf8))
            },
            "limits": declared.limits.isEmpty ? nil : declared.limits,
        ]
    }

    init(_ point: ExtensionPointDeclaration) {
        let changed = point.limits.changedValues
        self = ["identifier": point.identifier, "limits": changed.isEmpty ? nil : changed]
    }
}

extension Array {
    /// The array, or nil if it has no elements.
    fileprivate var nonEmpty: [Element]? { isEmpty ? nil : self }
}
