import ExtensionHost
import PluginCatalog
import PluginCore
import PluginRouter
import Registry
import PluginRuntime
import Trust
import Preflight
import Resolver

/// The catalogs and sandboxes for the measurements.
struct Workshop {
    let build: FilePath
    let folder: FilePath
    let team: BenchTeam

    var hostapp: FilePath { build.appending("bin/hostapp") }
    var catalog: FilePath { build.appending("catalog") }

    /// The trust file of the build's host.
    var trust: FilePath { build.appending("share/atrium/trust.json") }

    /// Returns a manager of a sandbox that also trusts the run's team.
    func manager(
        _ sandbox: String, catalog: FilePath, installsOnDemand isOnDemand: Bool = false
    ) throws -> Host {
        let sandbox = Sandbox(root: folder.appending(sandbox))
        try team.admit(to: sandbox)
        var services = HostServices(languages: ["en"], log: { _, _, _ in })
        services.admission = [ExtensionRules()]
        return Host(
            at: sandbox, source: DirectoryCatalog(folder: catalog), choosing: .resolver,
            verifying: TeamVerification(shipped: trust, sandbox: sandbox),
            libraryCheck: LibraryPreflight(), services: services,
            routing: isOnDemand ? .installingOnDemand() : HostRouting()
        )
    }

    /// Calls an action of a plugin in a separate session.
    func call(_ action: String, on target: String, in sandbox: String) async throws {
        let manager = try manager(sandbox, catalog: catalog)
        _ = try await manager.mediator.perform(action, on: target, [:])
        await manager.deactivateAll()
    }

    /// Returns the command that opens a page of Shop in a sandbox.
    func open(in sandbox: String) -> Program {
        Program(
            path: hostapp,
            arguments: [
                "--sandbox", folder.appending(sandbox).string, "--catalog", catalog.string, "open",
                "app://shop/item/42",
            ]
        )
    }

    /// Writes a package without code that has two addresses.
    func writeSynthetic(_ number: Int, to catalog: FilePath) throws -> FilePath {
        let identifier = try BenchTeam.bundle("synthetic.n\(number)")
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
