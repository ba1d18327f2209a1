import Console
import HostSystem
import PluginCatalog
import PluginCore
import PluginRuntime
import Registry

/// The two graphs that `hostapp graph` compares.
@MainActor
struct GraphComparison {
    let before: AppGraph
    let after: AppGraph

    /// Reads what the option `--diff` names: a saved graph or another sandbox to compare from, or a version to compare with.
    ///
    /// - Throws: ``AtriumError`` with code `fileUnknown`, `documentInvalid`, `bundleUnknown` and other codes of the catalog.
    init(of graph: AppGraph, with word: String, in call: HostCall, _ composed: ComposedRoutes) async throws {
        let converters = call.manager.offers.converters
        let path = try call.resolve(word)
        if InputFile.isFolder(path) {
            let sandbox = Sandbox(root: path)
            before = try AppGraphBuilder(of: composed, Registry(sandbox), in: sandbox, converters: converters).graph
            after = graph
        } else if !InputFile.isThere(path), let identity = Self.identity(word) {
            let manager = call.manager
            let package = try await manager.search { try $0.catalog.package(identity) }
            let installed = try manager.registry.active.bundle(identity.identifier)?.active
            let member = AppGraphBuilder.Member(
                manifest: package.manifest, team: installed?.seal.team,
                folder: installed.map { manager.sandbox.folder(of: $0.identity, digest: $0.digest) })
            before = graph
            after = try AppGraphBuilder(
                of: composed, manager.registry, in: manager.sandbox, replacing: [member], converters: converters
            ).graph
        } else {
            before = try AppGraph(document: InputFile.content(of: path), named: word)
            after = graph
        }
    }

    private static func identity(_ word: String) -> BundleIdentity? {
        let parts = word.split(separator: "@", omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, let identifier = BundleIdentifier(parts[0]), let version = SemanticVersion(parts[1])
        else { return nil }
        return BundleIdentity(identifier: identifier, version: version)
    }
}
