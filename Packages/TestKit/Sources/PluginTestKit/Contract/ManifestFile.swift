internal import FoundationEssentials
internal import PluginCore

/// The keys of `manifest.json` that a plugin's tests need. Hosts read the file with more care.
struct ManifestFile: Decodable {
    struct Requirement: Decodable {
        let bundle: String
        let versions: String
    }

    struct Route: Decodable {
        let pattern: String
        let page: String?
        let handler: String?
        let object: String?
        let layout: String?
        let guards: [String]?
    }

    struct Target: Decodable {
        let name: String
        let actions: [String]
    }

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

    static func read(_ path: FilePath) throws(AtriumError) -> Manifest {
        do {
            let data = try Data(contentsOf: URL(filePath: path.string))
            return try JSONDecoder().decode(ManifestFile.self, from: data).manifest(at: path)
        } catch let error as AtriumError {
            throw error
        } catch {
            throw AtriumError(.manifestInvalid, path.string, detail: String(describing: error))
        }
    }

    private func manifest(at path: FilePath) throws(AtriumError) -> Manifest {
        guard let version = SemanticVersion(version) else { throw invalid(path, "\"\(version)\" is no version") }
        guard let kind = BundleKind(rawValue: kind) else { throw invalid(path, "\"\(kind)\" is no kind") }
        var requirements: [BundleRequirement] = []
        for requirement in requires ?? [] {
            guard let versions = VersionRange(requirement.versions) else {
                throw invalid(path, "\"\(requirement.versions)\" is no range of versions")
            }
            requirements.append(BundleRequirement(identifier: requirement.bundle, versions: versions))
        }
        var declarations: [RouteDeclaration] = []
        for route in routes ?? [] {
            let named: [(RouteKind, String)] = [
                (.page, route.page), (.handler, route.handler), (.object, route.object),
            ].compactMap { kind, name in name.map { (kind, $0) } }
            guard let (kind, name) = named.first, named.count == 1 else {
                throw invalid(path, "\"\(route.pattern)\" needs exactly one of page, handler and object")
            }
            declarations.append(
                RouteDeclaration(
                    pattern: route.pattern, kind: kind, name: name, layout: route.layout, guards: route.guards ?? []
                )
            )
        }
        return Manifest(
            identity: BundleIdentity(identifier: identifier, version: version), name: name, summary: summary ?? "",
            kind: kind, entry: entry, coreABI: coreABI ?? CoreVersion.abi, requirements: requirements,
            appGroups: appGroups ?? [], routes: declarations,
            targets: (targets ?? []).map {
                TargetDeclaration(name: $0.name, actions: $0.actions.map { ActionDeclaration(name: $0) })
            }
        )
    }

    private func invalid(_ path: FilePath, _ detail: String) -> AtriumError {
        AtriumError(.manifestInvalid, path.string, detail: detail)
    }
}
