import PluginCore
import Registry
import PluginRuntime
import Trust
import Preflight
import Resolver

/// The preparation that is common to all compared loads.
enum Prelude {
    /// The error for a version that has not run successfully before it is measured.
    struct NeverRun: Error {
        let bundle: BundleIdentity
    }

    /// Returns a host of a sandbox that has already loaded another plugin.
    static func host(
        _ sandbox: FilePath, trust: FilePath, loading other: BundleIdentifier
    ) async throws -> Host {
        let sandbox = Sandbox(root: sandbox)
        let manager = Host(
            at: sandbox, source: DirectoryCatalog(folder: "/nonexistent"), choosing: .resolver,
            verifying: TeamVerification(shipped: trust, sandbox: sandbox),
            libraryCheck: LibraryPreflight())
        _ = try await manager.principal(of: other)
        return manager
    }

    /// Uses an installed version until it is recorded as having run and its library has a cached stamp.
    ///
    /// The first load has additional costs that are not part of the measurement.
    static func recordSuccessfulRun(
        _ identifier: BundleIdentifier, in manager: Host, by use: () async throws -> Void
    ) async throws {
        // The stamp of a file that was written less than a tick ago is not trusted.
        try await Task.sleep(for: .milliseconds(100))
        for _ in 0..<2 { try await use() }
        let bundle = try manager.registry.requireInstalled(identifier).active
        guard bundle.hasRunSince != nil else { throw NeverRun(bundle: bundle.identity) }
    }
}
