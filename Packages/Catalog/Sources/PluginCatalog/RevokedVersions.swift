import BundleFormat
import CatalogFormat
import HostSystem
public import PluginCore
public import PluginRuntime
public import Registry

/// The installed versions that the catalog has revoked.
public struct RevokedVersions: Sendable {
    /// A revoked version that was installed.
    public struct Replacement: Sendable {
        /// The revoked version.
        public let revoked: BundleIdentity
        /// The reason that the catalog's owner gives.
        public let reason: String
        /// The version that is active now; `nil` for a bundle that is disabled, because no other version of it could take its place.
        public let active: PluginBundle?
    }

    private let manager: Host
    private let record: RevocationRecord

    private var registry: Registry { manager.registry }
    private var source: any PackageSource { manager.source }

    /// Creates the search for revoked versions in a manager's sandbox.
    public init(of manager: Host) {
        self.manager = manager
        record = RevocationRecord(manager.sandbox)
    }

    /// Blocks the content of each installed version that is revoked, whether it is active, staged or the rollback target.
    ///
    /// An active one is replaced: by an update, or else by the version before it; without either, its bundle is disabled. Nothing is
    /// read if the catalogs and the versions are the same as when nothing was revoked.
    ///
    /// - Returns: The versions that were blocked.
    /// - Throws: ``AtriumError`` with code `catalogUnreachable` or `catalogUntrusted` after all known revocations have had their effect,
    ///   and the errors of the sandbox.
    @discardableResult
    public func replace() async throws -> [Replacement] {
        guard let source = source as? any Catalog, source.isRemote else { return [] }
        let installed = try installed()
        guard !installed.isEmpty else { return [] }
        let stamp = await source.revocationStamp()
        if record.holds(for: installed, at: stamp) { return [] }
        let (asked, revoked, failure) = try await source.search { try revokedVersions(in: $0) }
        // Rollback targets and staged versions come first, so that none of them takes the place of an active version.
        let active = Set(try registry.active.all().map(\.active.digest))
        let ordered = revoked.filter { !active.contains($0.0.digest) } + revoked.filter { active.contains($0.0.digest) }
        for (bundle, reason) in ordered {
            let identifier = bundle.identifier
            if try registry.active.version(of: identifier) == bundle {
                // Without an update, the version must not stay either.
                _ = try? await manager.transactions.install.run([.update(identifier)])
            }
            let why = ErrorReason("versionRevoked", ["reason": .text(reason)])
            try await manager.transactions.quarantine.block(bundle, because: why)
        }
        let replacements = try ordered.map { bundle, reason in
            Replacement(
                revoked: bundle.identity, reason: reason,
                active: try registry.active.version(of: bundle.identifier))
        }
        if let failure { throw failure }
        if replacements.isEmpty { record.save(asked, at: stamp) }
        return replacements
    }

    /// Opens the database and reads the installed versions, so that a later ``replace()`` takes less time.
    public func prepare() { _ = try? installed() }

    /// Returns the installed versions that ``replace()`` would block, and changes nothing.
    ///
    /// - Throws: as ``replace()``.
    public func preview() async throws -> [(revoked: BundleIdentity, reason: String)] {
        guard source.known.isRemote else { return [] }
        let (_, revoked, failure) = try await source.search { try revokedVersions(in: $0) }
        if let failure { throw failure }
        return revoked.map { ($0.0.identity, $0.reason) }
    }

    /// Returns the active and staged versions and the rollback targets, without those that are blocked.
    private func installed() throws(AtriumError) -> [PluginBundle] {
        let blocked = Set(try registry.quarantine.all().map(\.digest))
        let active = try registry.active.all().flatMap { [$0.active, $0.previous].compactMap(\.self) }
        return try (active + registry.staged.all()).filter { !blocked.contains($0.digest) }
    }

    /// Returns the installed versions, those that are revoked, and the first error of a catalog that cannot be asked.
    private func revokedVersions(in offers: any Offers) throws(AtriumError) -> (
        asked: [PluginBundle], revoked: [(PluginBundle, reason: String)], AtriumError?
    ) {
        let installed = try installed()
        var revoked: [(PluginBundle, reason: String)] = []
        var failure: AtriumError?
        // All are asked before the first error, so that everything that is missing is fetched together.
        for bundle in installed {
            do {
                let versions = try (offers as? any Catalog)?.revocations(of: bundle.identifier) ?? []
                guard let version = versions.first(where: { $0.sealDigest == bundle.digest }) else { continue }
                revoked.append((bundle, version.reason))
            } catch {
                failure = failure ?? error
            }
        }
        return (installed, revoked, failure)
    }
}

/// The record of the last time that no installed version was revoked, apart from those that are blocked already.
///
/// As long as the same versions are installed and the catalogs have the same state, a refresh need not read what the catalogs say about
/// each of them. The record is a file with a digest of both; without it, everything is read again.
struct RevocationRecord {
    let file: FilePath

    init(_ sandbox: Sandbox) {
        file = sandbox.catalogs.appending("not-revoked")
    }

    /// Returns whether the record is of these versions and this state of the catalogs.
    func holds(for installed: [PluginBundle], at stamp: String?) -> Bool {
        guard let content = content(installed, stamp),
            case .file(content, _) = try? FileSystem.contents(of: file, limit: content.count)
        else { return false }
        return true
    }

    /// Writes the record. A failure costs only time at the next refresh.
    func save(_ installed: [PluginBundle], at stamp: String?) {
        guard let content = content(installed, stamp) else { return }
        try? FileSystem.whileLocked(file.parent) { try FileSystem.replace(file, with: content) }
    }

    private func content(_ installed: [PluginBundle], _ stamp: String?) -> [UInt8]? {
        guard let stamp else { return nil }
        let text = ([stamp] + installed.map(\.digest).sorted()).joined(separator: "\n")
        return (try? ContentDigest.of(Array(text.utf8))).map { Array($0.utf8) }
    }
}
