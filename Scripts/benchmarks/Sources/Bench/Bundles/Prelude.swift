import PluginCore
import PluginRouter
import PluginRuntime

/// What all loads that are compared have behind them when the clock starts.
enum Prelude {
    /// A version that is to be measured has not been used.
    struct NotProven: Error {
        let bundle: BundleIdentity
    }

    /// A host of a sandbox that runs a plugin already.
    static func host(
        _ sandbox: FilePath, trust: FilePath, loading other: String
    ) async throws -> (BundleManager, Router, Mediator) {
        let manager = BundleManager(
            sandbox: Sandbox(root: sandbox), catalog: DirectoryCatalog(folder: "/nonexistent"), trust: trust,
            services: HostServices(languages: ["en"], log: { _, _, _ in })
        )
        let (router, mediator) = await manager.connect(NoPages(), supply: nil)
        _ = try await manager.principal(of: manager.requireInstalled(other).active)
        return (manager, router, mediator)
    }

    /// Uses an installed version until it is known to run, and its library's file by its stamp: what is loaded for the first
    /// time is watched, and that is not what loads cost.
    static func prove(
        _ identifier: String, in manager: BundleManager, by use: () async throws -> Void
    ) async throws {
        // A file that has only just been written has no stamp that is worth anything.
        try await Task.sleep(for: .milliseconds(100))
        for _ in 0..<2 { try await use() }
        let bundle = try manager.requireInstalled(identifier).active
        guard bundle.provenAt != nil else { throw NotProven(bundle: bundle.identity) }
    }
}
