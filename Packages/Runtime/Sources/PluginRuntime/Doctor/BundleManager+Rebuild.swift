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

    func version(provenAt time: Int64?) -> PlacedVersion {
        var bundle = bundle
        bundle.provenAt = time
        return PlacedVersion(bundle: bundle, manifest: version.manifest, source: version.source)
    }
}

extension BundleManager {
    /// Makes the registry anew from what lies on the disk: of each bundle the version that was active as far as the old
    /// registry can still tell, else the highest; and the next one to go back to. Only sound versions of trusted teams count.
    ///
    /// The old file is kept beside the new one. What only it could tell, such as the history, goes with it; floors and
    /// quarantine are kept as far as they can be read. Whatever interrupts it, the old registry is there or the new one, whole.
    ///
    /// - Throws: ``AtriumError`` with code `sandboxBusy`, `sandboxUnwritable`, `storageFull`, `trustInvalid`, `registryNewer`,
    ///   `inputOutput`.
    public func rebuildRegistry() async throws -> RebuildReport {
        guard FileSystem.isFolder(sandbox.plugins) else { return RebuildReport() }
        return try await exclusively(mending: true) {
            let old = try self.salvage()
            var report = RebuildReport()
            let found = try self.found(&report)
            report.oldRegistry = try self.registry.replace { new in
                try new.restore(floors: old.floors, quarantine: old.quarantine)
                for (identifier, versions) in found.sorted(by: { $0.key < $1.key }) {
                    try self.enter(identifier, versions, old, into: new, &report)
                }
            }
            return report
        }
    }

    private struct Salvage {
        var installed: [String: InstalledBundle] = [:]
        /// When versions have shown that they run.
        var proofs: [PluginBundle: Int64] = [:]
        var floors: [String: SemanticVersion] = [:]
        var quarantine: [QuarantinedVersion] = []
    }

    /// What the old registry still tells, piece by piece.
    private nonisolated func salvage() throws(AtriumError) -> Salvage {
        var salvage = Salvage()
        for installed in try unlessDamaged({ () throws(AtriumError) in try registry.installed() }) ?? [] {
            salvage.installed[installed.active.identity.identifier] = installed
        }
        for bundle in try unlessDamaged({ () throws(AtriumError) in try registry.versions() }) ?? [] {
            salvage.proofs[bundle] = bundle.provenAt
        }
        salvage.floors = FloorFiles(sandbox).read()
        let floors = try unlessDamaged { () throws(AtriumError) in try registry.floors() }
        salvage.floors.merge(floors ?? [:]) { max($0, $1) }
        salvage.quarantine = try unlessDamaged { () throws(AtriumError) in try registry.quarantine() } ?? []
        return salvage
    }

    /// What can be read; `nil` of what is damaged. What can not be read for now, or by this host, is no reason to do without it.
    private nonisolated func unlessDamaged<T>(_ read: () throws(AtriumError) -> T) throws(AtriumError) -> T? {
        do throws(AtriumError) {
            return try read()
        } catch {
            guard error.code == .registryDamaged else { throw error }
            return nil
        }
    }

    /// The versions that lie sound on the disk, highest first.
    private nonisolated func found(_ report: inout RebuildReport) throws(AtriumError) -> [String: [FoundVersion]] {
        var found: [String: [FoundVersion]] = [:]
        for identifier in try FileSystem.names(in: sandbox.plugins) {
            let place = sandbox.plugins.appending(identifier)
            guard case .folder = try FileSystem.certainItem(at: place) else { continue }
            for name in try FileSystem.names(in: place) {
                let folder = place.appending(name)
                do throws(AtriumError) {
                    // A disk that fails for a moment costs no version: what speaks against one does so twice.
                    if let version = try? version(in: folder, of: identifier) {
                        found[identifier, default: []].append(version)
                    } else {
                        found[identifier, default: []].append(try version(in: folder, of: identifier))
                    }
                } catch {
                    guard error.code != .trustInvalid, error.code != .inputOutput else { throw error }
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

    private nonisolated func enter(
        _ identifier: String, _ versions: [FoundVersion], _ old: Salvage, into new: Registry,
        _ report: inout RebuildReport
    ) throws(AtriumError) {
        let barred = Set(old.quarantine.filter { $0.identity.identifier == identifier }.map(\.digest))
        let before = old.installed[identifier]
        // What was active goes first, then what there was to go back to, then the highest.
        var usable = versions.filter { !barred.contains($0.bundle.digest) }
        for bundle in [before?.previous, before?.active].compactMap({ $0 }) {
            guard let index = usable.firstIndex(where: { $0.bundle == bundle }) else { continue }
            usable.insert(usable.remove(at: index), at: 0)
        }
        guard let active = usable.first else { return }
        do throws(AtriumError) {
            try new.commit([.activate(active.version(provenAt: old.proofs[active.bundle]))])
            report.active.append(active.bundle)
        } catch {
            guard [.routeConflict, .targetConflict, .serviceConflict].contains(error.code) else { throw error }
            report.leftOut.append(.init(path: sandbox.folder(of: active.bundle), reason: error.detail))
            return
        }
        // Whether it gets on with the others is for a rollback to find out.
        if let previous = usable.dropFirst().first {
            try new.keep(previous.version(provenAt: old.proofs[previous.bundle]), behind: active.bundle)
        }
    }
}
