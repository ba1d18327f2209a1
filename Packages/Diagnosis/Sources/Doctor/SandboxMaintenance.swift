public import BundleFormat
import HostSystem
public import PluginCore
public import PluginRuntime
public import Registry

/// The result of verifying an installed version.
public struct VerifiedVersion: Hashable, Sendable {
    /// The version.
    public let bundle: PluginBundle
    /// The differences from the seal, and the problems with its signer; empty for a valid version.
    public let findings: [SealFinding]
}

extension SandboxTransactions {
    /// Verification and garbage collection.
    public var maintenance: SandboxMaintenance { SandboxMaintenance(transactions: self) }
}

/// The maintenance of the installed bundles.
///
/// ```swift
/// let report = try await manager.transactions.maintenance.collectGarbage()
/// ```
public struct SandboxMaintenance: SandboxPart {
    package let transactions: SandboxTransactions

    /// Makes all checks of a load without loading anything: the signer, the seal, and the library's content.
    ///
    /// - Throws: the errors of loading.
    public func requireVerified(_ bundle: PluginBundle) throws {
        let folder = try policy.requireLoad(of: bundle)
        defer { withExtendedLifetime(folder) {} }
        if bundle.entry == nil { return }
        let file = try LibraryFile(opening: sandbox.library(of: bundle), of: bundle.identity)
        defer { file.close() }
        _ = try file.requireSealed(as: bundle.sealedLibraryDigest(), known: bundle.seal.libraryStamp)
        try file.requireUntouched()
    }

    /// Reads all files of the versions in the registry, and verifies them against their seals and the trust store.
    ///
    /// - Parameter identifiers: the bundles to verify; `nil` for all.
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled`, `trustInvalid`, `registryDamaged`.
    public func verify(_ identifiers: [BundleIdentifier]? = nil) throws(AtriumError) -> [VerifiedVersion] {
        for identifier in identifiers ?? [] { _ = try registry.requireInstalled(identifier) }
        var verified: [VerifiedVersion] = []
        for bundle in try registry.versions.all() where identifiers?.contains(bundle.identifier) ?? true {
            verified.append(VerifiedVersion(bundle: bundle, findings: try policy.reportedFindings(about: bundle)))
        }
        return verified
    }

    /// Removes everything that the registry doesn't list and no process uses, and versions that are no longer valid rollback targets.
    ///
    /// - Parameter includesKeptData: whether newer data that was set aside is removed, too.
    /// - Throws: ``AtriumError`` with code `sandboxBusy`, `registryDamaged`, `inputOutput`, or `sandboxUnwritable`, also when a link is in
    ///   the place of a folder. If an item can't be examined, everything else is collected first.
    public func collectGarbage(withKeptData includesKeptData: Bool = false) async throws -> CollectionReport {
        guard try FileSystem.item(at: sandbox.plugins) != nil else { return CollectionReport() }
        return try await writer.exclusively {
            try registry.releaseUnreachable()
            var report = CollectionReport()
            try collect(withKeptData: includesKeptData, &report)
            return report
        }
    }

    private func collect(withKeptData includesKeptData: Bool, _ report: inout CollectionReport) throws(AtriumError) {
        let collector = installer.collector
        report.freed += try collector.sweepStaging()
        for path in try sandbox.registryLeftovers() { report.add(path, freed: try? FileSystem.free(path)) }
        var obstacle: AtriumError?
        func attempt(_ body: () throws(AtriumError) -> Void) {
            do throws(AtriumError) { try body() } catch { obstacle = obstacle ?? error }
        }
        for name in try sandbox.opened(sandbox.containers)?.names() ?? [] {
            guard let identifier = name.text.flatMap({ BundleIdentifier($0) }) else { continue }
            attempt { () throws(AtriumError) in
                try collector.collectData(of: identifier, withKept: includesKeptData, &report)
            }
        }
        guard let plugins = try sandbox.opened(sandbox.plugins) else { return }
        for name in try plugins.names() {
            attempt { () throws(AtriumError) in try collector.collect(in: name, of: plugins, &report) }
        }
        if let obstacle { throw obstacle }
    }
}

extension Sandbox {
    /// Returns the folders of a plugin's newer data that was set aside, because older data was used since.
    public func keptData(of identifier: BundleIdentifier) throws(AtriumError) -> [FilePath] {
        try DataFolders(of: identifier, in: self).keptFolders()
    }
}

extension Registry {
    /// Removes kept versions that are no longer valid rollback targets.
    fileprivate func releaseUnreachable() throws(AtriumError) {
        // Usually there are none, and then nothing is written.
        if try active.withUnreachablePrevious().isEmpty { return }
        try write { tables in
            for active in try tables.active.withUnreachablePrevious() {
                try tables.active.set(active, previous: nil)
                for released in try tables.versions.removeUnused(of: active.identifier) {
                    try tables.history.add(.pruned, released.identity)
                }
            }
        }
    }
}

extension LoadPolicy {
    /// Verifies a version for a report, in which an unreadable file is a finding too.
    ///
    /// - Throws: the errors of the trust store, and as ``SealedFolder/report(by:expecting:forThisHost:)``.
    func reportedFindings(about bundle: PluginBundle) throws(AtriumError) -> [SealFinding] {
        do {
            return try findings(about: bundle)
        } catch {
            guard SealFinding.unreadCodes.contains(error.code) else { throw error }
            return [SealFinding(error.code, error.subject, error.reason ?? .error(error))]
        }
    }

    /// Returns why a host, by default this one, cannot load the code of an active version; `nil` if it can.
    ///
    /// It is the check of an install. A load makes it, too, if the start of the file or the loader gives reason to it.
    ///
    /// - Throws: the errors of the registry, and ``AtriumError`` with code `inputOutput` when a library can't be read.
    func loadRefusal(of bundle: PluginBundle, by check: (any LibraryCheck)? = nil) throws(AtriumError) -> AtriumError? {
        do {
            try requireLoadable(registry.versions.placed(bundle), in: sandbox.folder(of: bundle), by: check)
            return nil
        } catch {
            if error.isEnvironmental { throw error }
            return error
        }
    }
}

extension Host {
    /// Returns the active versions that this host cannot load, each with the reason.
    ///
    /// - Throws: the errors of the registry, and ``AtriumError`` with code `inputOutput` when a library can't be read.
    public func unloadable() throws(AtriumError) -> [(bundle: PluginBundle, reason: AtriumError)] {
        var found: [(bundle: PluginBundle, reason: AtriumError)] = []
        for bundle in try registry.active.all().map(\.active) {
            if let reason = try policy.loadRefusal(of: bundle) { found.append((bundle, reason)) }
        }
        return found
    }
}
