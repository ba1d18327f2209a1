import BundleFormat
public import Registry
import HostSystem
public import PluginCore
public import PluginRuntime

/// The result of rebuilding a registry.
public struct RebuildReport: Hashable, Sendable {
    /// The active versions.
    public var active: [PluginBundle] = []
    /// The staged versions.
    public var staged: [PluginBundle] = []
    /// The folders that were left out, with the reasons.
    public var leftOut: [Folder] = []
    /// The path of the old registry; `nil` when there was none.
    public var oldRegistry: FilePath?

    /// A folder without a usable version.
    public struct Folder: Hashable, Sendable {
        /// The path of the folder.
        public let path: FilePath
        /// The reason why it was left out.
        public let reason: ErrorReason
    }
}

/// The rebuilding of a lost or damaged registry.
///
/// ```swift
/// let report = try await RegistryRebuild(of: manager).run()
/// ```
public struct RegistryRebuild: Sendable {
    private let manager: Host

    private var sandbox: Sandbox { manager.sandbox }
    private var registry: Registry { manager.registry }
    private var planner: ChangePlanner { manager.policy.planner }

    /// Creates the rebuilding of a manager's registry.
    public init(of manager: Host) { self.manager = manager }

    /// Rebuilds the registry from the versions on the disk.
    ///
    /// The readable rows of the old registry stay in force: active versions, rollback targets, staged versions; versions that
    /// it doesn't list are left out. If the active version of a bundle is unreadable, its highest version becomes active, and
    /// the next one becomes the rollback target. Only valid versions of trusted teams count; without any, the new registry is
    /// empty.
    ///
    /// The old file is kept next to the new one. Data that only it has, such as the history, is lost; minimum versions and
    /// blocks are kept as far as they are readable. After an interruption, either the old or the new registry is in place.
    ///
    /// - Throws: ``AtriumError`` with code `sandboxBusy`, `sandboxUnwritable`, `storageFull`, `trustInvalid`, `registryNewer`,
    ///   `inputOutput`.
    public func run() async throws -> RebuildReport {
        let companions = Registry.companions.map { FilePath(sandbox.registry.string + $0) }
        let isThere = try ([sandbox.registry, sandbox.plugins] + companions).contains {
            try FileSystem.item(at: $0) != nil
        }
        guard isThere else { return RebuildReport() }
        return try await manager.transactions.writer.exclusively(mending: true) {
            try registry.moveForeignCompanionsAside()
            let old = try registry.recoveredContents()
            var report = RebuildReport()
            let found = try found(&report)
            report.oldRegistry = try registry.replace { new in
                try new.restoreWithoutVersions(old)
                // Bundles that were active come first, so that they keep their declarations in conflicts.
                let isKnown = { (identifier: BundleIdentifier) in old.places[identifier] != nil }
                for identifier in found.keys.sorted().filter(isKnown) + found.keys.sorted().filter({ !isKnown($0) }) {
                    try enter(identifier, found[identifier] ?? [], old, into: new, &report)
                }
                try new.restoreNotes(old)
            }
            return report
        }
    }

    /// Returns the valid versions on the disk that a trusted team has signed, highest first.
    private func found(_ report: inout RebuildReport) throws(AtriumError) -> [BundleIdentifier: [PlacedVersion]] {
        var found: [BundleIdentifier: [PlacedVersion]] = [:]
        // The path with a dot follows a link to a folder.
        guard case .folder = try FileSystem.item(at: sandbox.plugins.appending(".")) else { return found }
        for folder in try sandbox.versionFolders() {
            do {
                // A temporary failure of the disk must not lose a version, so it is left out only after two failures.
                let version = if let version = try? version(in: folder) { version } else { try version(in: folder) }
                found[version.bundle.identifier, default: []].append(version)
            } catch {
                // An unreadable version isn't left out.
                if error.isEnvironmental { throw error }
                report.leftOut.append(.init(path: folder, reason: error.summary))
            }
        }
        return found.mapValues { versions in
            versions.sorted { $0.bundle.version > $1.bundle.version }
        }
    }

    private func version(in folder: FilePath) throws(AtriumError) -> PlacedVersion {
        let report = try SealedFolder(folder, converters: planner.converters).report(
            by: planner.verification.signatures(for: .load))
        if let refusal = report.refusal(of: folder.lastComponent) { throw refusal }
        guard let (manifest, source) = report.manifest, let digest = report.digest, let seal = report.seal,
            let keyID = report.keyID,
            sandbox.folder(of: manifest.identity, digest: digest) == folder
        else {
            throw AtriumError(.sealBroken, folder.lastComponent, reason: "wrongFolder")
        }
        // The host before an upgrade may have stored other libraries, which an update replaces.
        let libraries = (try? FileSystem.names(in: folder.appending("lib"))) ?? []
        let bundle = PluginBundle(
            manifest, digest: digest, size: try FileSystem.size(of: folder), installedAt: Clock.now(),
            seal: SealRecord(
                of: manifest, seal, by: keyID, storing: LibraryBuild.host.folder(among: libraries) ?? libraries.first))
        return PlacedVersion(bundle, manifest, source: source)
    }

    /// Adds a bundle's versions with their old states; if those are unknown, its highest version becomes active.
    private func enter(
        _ identifier: BundleIdentifier, _ versions: [PlacedVersion], _ old: RecoveredRegistry, into new: Registry,
        _ report: inout RebuildReport
    ) throws(AtriumError) {
        let blocked = Dictionary(
            old.quarantine.filter { $0.identity.identifier == identifier }.map { ($0.digest, $0.reason) }
        ) { $1 }
        let usable = versions.filter { blocked[$0.bundle.digest] == nil }
        let staged = usable.first { $0.key == old.staged[identifier] }
        let place = old.place(of: identifier)
        let running: [PlacedVersion] =
            switch place {
            case .active(let active, let previous):
                [active, previous].compactMap { key in usable.first { $0.key == key } }
            case .none: []
            case .unknown: Array(usable.filter { $0.key != staged?.key }.prefix(2))
            }
        var entered = running.map(\.key)
        do {
            if let active = running.first {
                try new.commit([.activate(active.ran(since: old.successfulRuns[active.key]))])
                report.active.append(active.bundle)
                // A later rollback checks whether it is compatible with the other bundles.
                if let previous = running.dropFirst().first {
                    try new.retain(
                        previous.ran(since: old.successfulRuns[previous.key]), behind: active.bundle)
                }
            }
        } catch {
            guard [.routeConflict, .targetConflict, .serviceConflict, .extensionConflict].contains(error.code) else {
                throw error
            }
            for version in running {
                report.leftOut.append(.init(path: sandbox.folder(of: version.bundle), reason: error.summary))
            }
        }
        if let staged {
            try new.commit([.stage(staged.ran(since: old.successfulRuns[staged.key]))])
            report.staged.append(staged.bundle)
            entered.append(staged.key)
        }
        for version in versions where !entered.contains(version.key) {
            let reason =
                blocked[version.bundle.digest].map { ErrorReason("wasQuarantined", ["crash": .reason($0)]) }
                ?? place.reasonToLeaveOut
            report.leftOut.append(.init(path: sandbox.folder(of: version.bundle), reason: reason))
        }
    }
}

extension RecoveredRegistry.Place {
    /// The reason why a valid version is left out of the new registry.
    fileprivate var reasonToLeaveOut: ErrorReason {
        switch self {
        case .active, .none: ErrorReason("notNamedByRegistry")
        case .unknown: ErrorReason("higherVersionsExist")
        }
    }
}

extension Registry {
    /// Adds a version as the rollback target of the active one, without its declarations.
    fileprivate func retain(_ version: PlacedVersion, behind active: PluginBundle) throws(AtriumError) {
        try write { tables in
            try tables.versions.add(version)
            try tables.active.set(active, previous: version.bundle)
        }
    }
}

extension PlacedVersion {
    fileprivate var key: VersionKey { bundle.key }

    fileprivate func ran(since time: Int64?) -> PlacedVersion {
        var version = self
        version.bundle.hasRunSince = time
        return version
    }
}
