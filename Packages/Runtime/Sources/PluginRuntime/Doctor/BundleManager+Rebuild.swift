public import PluginCore
internal import PluginRouter
internal import Signing

/// What became of a registry that was made anew.
public struct RebuildReport: Hashable, Sendable {
    /// What is active now.
    public var active: [PluginBundle] = []
    /// The folders that were left out, and why.
    public var leftOut: [Folder] = []
    /// Where the old registry lies; `nil` when there was none.
    public var oldRegistry: FilePath?

    /// A folder that holds no version that may be used.
    public struct Folder: Hashable, Sendable {
        /// Where it is.
        public let path: FilePath
        /// What speaks against it.
        public let reason: String
    }
}

/// A version that was found on the disk, sound and signed by a team that is trusted.
private struct FoundVersion {
    let version: PlacedVersion
    var bundle: PluginBundle { version.bundle }
}

extension BundleManager {
    /// Makes the registry anew from what lies on the disk: of each bundle the version that was active as far as the old
    /// registry can still tell, else the highest; and the next one to go back to. Only sound versions of trusted teams count.
    ///
    /// The old file is kept beside the new one. What only it could tell, such as the history, goes with it; floors and
    /// quarantine are kept as far as they can be read.
    ///
    /// - Throws: ``AtriumError`` with code `sandboxBusy`, `sandboxUnwritable`, `trustInvalid`, `registryNewer`, `inputOutput`.
    public func rebuildRegistry() async throws -> RebuildReport {
        guard FileSystem.isFolder(sandbox.plugins) else { return RebuildReport() }
        return try await exclusively {
            let old = self.salvage()
            var report = RebuildReport()
            let found = try self.found(&report)
            report.oldRegistry = try self.setAside()
            do throws(AtriumError) {
                for (identifier, versions) in found.sorted(by: { $0.key < $1.key }) {
                    try self.enter(identifier, versions, old, &report)
                }
                try self.registry.restore(floors: old.floors, quarantine: old.quarantine)
            } catch {
                if let aside = report.oldRegistry {
                    self.registry.removeFile()
                    try? FileSystem.rename(aside, to: self.sandbox.registry)
                }
                throw error
            }
            return report
        }
    }

    private struct Salvage {
        var active: [String: PluginBundle] = [:]
        /// When versions have shown that they run.
        var proofs: [PluginBundle: Int64] = [:]
        var floors: [String: SemanticVersion] = [:]
        var quarantine: [QuarantinedVersion] = []
    }

    /// What the old registry still tells, piece by piece.
    private nonisolated func salvage() -> Salvage {
        var salvage = Salvage()
        for installed in (try? registry.installed()) ?? [] {
            salvage.active[installed.active.identity.identifier] = installed.active
        }
        for bundle in (try? registry.versions()) ?? [] { salvage.proofs[bundle] = bundle.provenAt }
        salvage.floors = FloorFiles(sandbox).read()
        salvage.floors.merge((try? registry.floors()) ?? [:]) { max($0, $1) }
        salvage.quarantine = (try? registry.quarantine()) ?? []
        return salvage
    }

    /// The versions that lie sound on the disk, highest first.
    private nonisolated func found(_ report: inout RebuildReport) throws(AtriumError) -> [String: [FoundVersion]] {
        var found: [String: [FoundVersion]] = [:]
        for identifier in try FileSystem.names(in: sandbox.plugins) {
            let place = sandbox.plugins.appending(identifier)
            for name in (try? FileSystem.names(in: place)) ?? [] {
                let folder = place.appending(name)
                do throws(AtriumError) {
                    found[identifier, default: []].append(try version(in: folder, of: identifier))
                } catch  where error.code != .trustInvalid {
                    let words = ([error.detail] + error.problems).filter { !$0.isEmpty }
                    report.leftOut.append(
                        .init(path: folder, reason: words.isEmpty ? error.code.name : words.joined(separator: "; ")))
                }
            }
        }
        return found.mapValues { versions in
            versions.sorted { $0.bundle.identity.version > $1.bundle.identity.version }
        }
    }

    private nonisolated func version(in folder: FilePath, of identifier: String) throws(AtriumError) -> FoundVersion {
        let authority = SealAuthority.trust(try gate.store(), .load, at: Clock.now())
        let verdict = SealedFolder(folder, converters: converters).verdict(by: authority)
        if let refusal = verdict.refusal(of: folder.lastComponent) { throw refusal }
        guard let (manifest, source) = verdict.manifest, let digest = verdict.digest, let seal = verdict.seal,
            let keyID = verdict.keyID,
            manifest.identity.identifier == identifier, sandbox.folder(of: manifest.identity, digest: digest) == folder
        else {
            throw AtriumError(.sealBroken, folder.lastComponent, detail: "it does not lie where it belongs")
        }
        let library = manifest.entry.flatMap { seal.file(LibraryPreflight.place(of: $0)) }
        let bundle = PluginBundle(
            manifest, digest: digest, size: FileSystem.size(of: folder), installedAt: Clock.now(),
            seal: SealRecord(
                team: seal.team, keyID: keyID.description, libraryDigest: library?.sha256, libraryStamp: nil))
        return FoundVersion(version: PlacedVersion(bundle: bundle, manifest: manifest, source: source))
    }

    /// Moves the old database out of the way.
    private nonisolated func setAside() throws(AtriumError) -> FilePath? {
        registry.disconnect()
        guard FileSystem.item(at: sandbox.registry) != nil else { return nil }
        let aside = FilePath("\(sandbox.registry.string).damaged-\(Clock.now())")
        try FileSystem.rename(sandbox.registry, to: aside)
        // A journal belongs to the file that it lay beside.
        for suffix in ["-journal", "-wal", "-shm"] {
            let path = FilePath(sandbox.registry.string + suffix)
            guard FileSystem.item(at: path) != nil else { continue }
            try FileSystem.rename(path, to: FilePath(aside.string + suffix))
        }
        return aside
    }

    private nonisolated func enter(
        _ identifier: String, _ versions: [FoundVersion], _ old: Salvage, _ report: inout RebuildReport
    ) throws(AtriumError) {
        let barred = Set(old.quarantine.filter { $0.identity.identifier == identifier }.map(\.digest))
        let usable = versions.filter { !barred.contains($0.bundle.digest) }
        guard let active = usable.first(where: { $0.bundle == old.active[identifier] }) ?? usable.first else { return }
        let previous = usable.first { $0.bundle != active.bundle }
        do throws(AtriumError) {
            // In this order the second takes the place of the first, which is kept to go back to.
            for found in [previous, active].compactMap({ $0 }) {
                var bundle = found.bundle
                bundle.provenAt = old.proofs[bundle]
                let version = PlacedVersion(
                    bundle: bundle, manifest: found.version.manifest, source: found.version.source)
                try registry.commit([.activate(version)])
            }
            report.active.append(active.bundle)
        } catch {
            guard [.routeConflict, .targetConflict, .serviceConflict].contains(error.code) else { throw error }
            report.leftOut.append(.init(path: sandbox.folder(of: active.bundle), reason: error.detail))
        }
    }
}
