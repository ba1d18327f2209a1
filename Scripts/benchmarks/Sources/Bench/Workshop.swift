import PluginCore
import PluginRouter
import PluginRuntime

/// Makes catalogs and sandboxes to measure on.
struct Workshop {
    let build: FilePath
    let folder: FilePath
    let team: BenchTeam

    var hostapp: FilePath { build.appending("bin/hostapp") }
    var catalog: FilePath { build.appending("catalog") }

    /// Whom the build's host trusts.
    var trust: FilePath { build.appending("share/atrium/trust.json") }

    /// The bundles of a sandbox, installed from a catalog. What the run's own team signs is let in too.
    func manager(_ sandbox: String, catalog: FilePath) throws -> BundleManager {
        let sandbox = Sandbox(root: folder.appending(sandbox))
        try team.admit(to: sandbox)
        return BundleManager(
            sandbox: sandbox, catalog: DirectoryCatalog(folder: catalog), trust: trust,
            services: HostServices(languages: ["en"], log: { _, _, _ in })
        )
    }

    /// A session in which a plugin is called.
    func call(_ action: String, on target: String, in sandbox: String) async throws {
        let manager = try manager(sandbox, catalog: catalog)
        let (_, mediator) = await manager.connect(NoPages(), supply: nil)
        _ = try await mediator.perform(action, on: target, [:])
        await manager.deactivateAll()
    }

    /// `hostapp open` of Shop's page in a sandbox.
    func open(in sandbox: String) -> Program {
        Program(
            path: hostapp,
            arguments: [
                "--sandbox", folder.appending(sandbox).string, "--catalog", catalog.string, "open",
                "app://shop/item/42",
            ]
        )
    }

    /// A package without code that serves two addresses of its own.
    func writeSynthetic(_ number: Int, to catalog: FilePath) throws -> FilePath {
        let identifier = "\(BenchTeam.identifier).synthetic.n\(number)"
        let manifest = """
            {"formatVersion": 1, "identifier": "\(identifier)", "version": "1.0.0", "name": "Synthetic \(number)",
             "kind": "assets", "routes": [
               {"pattern": "synthetic\(number)", "page": "home", "layout": "pages/home"},
               {"pattern": "synthetic\(number)/item/:id", "page": "item", "layout": "pages/item"}
             ]}
            """
        return try team.pack(identifier, manifest: manifest, to: catalog)
    }
}
