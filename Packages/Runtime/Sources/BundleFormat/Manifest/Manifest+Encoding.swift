internal import FoundationEssentials
import ExtensionActivation
import PluginCore

extension Manifest {
    /// Returns the manifest as the content of a file: the same for equal manifests, and without fields that have their defaults.
    package func encoded() -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Encoding cannot fail: a validated manifest contains strings, Boolean values and finite numbers only.
        let text = (try? encoder.encode(File(self))).map(Array.init) ?? []
        return text + [UInt8(ascii: "\n")]
    }

    /// The fields of the file.
    private struct File: Encodable {
        struct Requirement: Encodable {
            let bundle: String
            let versions: String
            let onDemand: Bool?
        }

        struct Route: Encodable {
            let pattern: String
            let page: String?
            let handler: String?
            let object: String?
            let layout: String?
            let guards: [String]?
            let priority: Int?
            let exposure: Exposure?
            let deadline: Double?
            let mayDecline: Bool?

            init(_ route: RouteDeclaration) {
                pattern = route.pattern
                page = route.kind == .page ? route.name : nil
                handler = route.kind == .handler ? route.name : nil
                object = route.kind == .object ? route.name : nil
                layout = route.layout
                guards = route.guards.nonEmpty
                priority = route.priority == 0 ? nil : route.priority
                exposure = route.exposure == .plugins ? nil : route.exposure
                deadline = route.deadline
                mayDecline = route.mayDecline ? true : nil
            }
        }

        struct Target: Encodable {
            let name: String
            let actions: [Action]
        }

        struct Extension: Encodable {
            let identifier: String
            let point: String
            let entry: String
            let name: String
            let activation: ActivationSource?
            let limits: LoweredLimits?

            init(_ declaration: ExtensionDeclaration) {
                identifier = declaration.identifier.text
                point = declaration.point
                entry = declaration.entry
                name = declaration.name
                activation = declaration.activation.flatMap { try? ActivationSource(text: $0) }
                limits = declaration.limits.isEmpty ? nil : declaration.limits
            }
        }

        struct Point: Encodable {
            let identifier: String
            let limits: LoweredLimits?

            init(_ point: ExtensionPointDeclaration) {
                identifier = point.identifier
                let changed = LoweredLimits(point.limits)
                limits = changed.isEmpty ? nil : changed
            }
        }

        struct Action: Encodable {
            let name: String
            let exposure: Exposure?
        }

        let formatVersion = ManifestReader.formatVersion
        let identifier: String
        let version: String
        let name: String
        let summary: String?
        let kind: String
        let entry: String?
        let coreABI: UInt32?
        let requires: [Requirement]?
        let appGroups: [String]?
        let routes: [Route]?
        let targets: [Target]?
        let services: [String]?
        let extensions: [Extension]?
        let extensionPoints: [Point]?
        let permissions: [String]?
        let isolation: String?
        let dataVersion: Int?
        let dataCopyLimit: UInt64?
        let license: String?
        let homepage: String?

        init(_ manifest: Manifest) {
            identifier = manifest.identity.identifier.text
            version = manifest.identity.version.description
            name = manifest.name
            summary = manifest.summary.isEmpty ? nil : manifest.summary
            kind = manifest.kind.rawValue
            entry = manifest.entry
            coreABI = manifest.entry == nil ? nil : manifest.coreABI
            requires =
                manifest.requirements.map {
                    Requirement(
                        bundle: $0.identifier.text, versions: $0.versions.description,
                        onDemand: $0.isOnDemand ? true : nil)
                }.nonEmpty
            appGroups = manifest.appGroups.nonEmpty
            routes = manifest.routes.map(Route.init).nonEmpty
            targets =
                manifest.targets.map { target in
                    Target(
                        name: target.name,
                        actions: target.actions.map {
                            Action(name: $0.name, exposure: $0.exposure == .plugins ? nil : $0.exposure)
                        })
                }.nonEmpty
            services = manifest.services.nonEmpty
            extensions = manifest.extensions.map(Extension.init).nonEmpty
            extensionPoints = manifest.extensionPoints.map(Point.init).nonEmpty
            permissions = manifest.permissions.map(\.rawValue).nonEmpty
            isolation = manifest.isolation == .host ? nil : manifest.isolation.rawValue
            dataVersion = manifest.dataVersion == 0 ? nil : manifest.dataVersion
            dataCopyLimit = manifest.dataCopyLimit == Manifest.defaultDataCopyLimit ? nil : manifest.dataCopyLimit
            license = manifest.license
            homepage = manifest.homepage
        }
    }
}

extension Array {
    /// The array, or nil if it has no elements.
    fileprivate var nonEmpty: [Element]? { isEmpty ? nil : self }
}
