public import PluginCore
internal import PluginRouter
internal import Signing

/// What became of a registry that was made anew.
public struct RebuildReport: Hashable, Sendable {
    /// What is active now.
    public var active: [PluginBundle] = []
    /// What becomes active when a host starts next.
    public var staged: [PluginBundle] = []
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
    var name: Salvage.Name { Salvage.Name(identity: bundle.identity, digest: bundle.digest) }

    func version(provenAt time: Int64?) -> PlacedVersion {
        var bundle = bundle
        bundle.provenAt = time
        return PlacedVersion(bundle: bundle, manifest: version.manifest, source: version.source)
    }
}

extension BundleManager {
    /// Makes the registry anew from what lies on the disk. What the old one still says holds, row by row: what was active, what
    /// there was to go back to, what was staged; and what it does not name stays out. Where nobody can read any more what was
    /// active, the highest version of a bundle is, and the next one is there to go back to. Only sound versions of trusted teams
    /// count; where there are none, the new registry is an empty one.
    ///
    /// The old file is kept beside the new one. What only it could tell, such as the history, goes with it; floors and
    /// quarantine are kept as far as they can be read. Whatever interrupts it, the old registry is there or the new one, whole.
    ///
    /// - Throws: ``AtriumError`` with code `sandboxBusy`, `sandboxUnwritable`, `storageFull`, `trustInvalid`, `registryNewer`,
    ///   `inputOutput`.
    public func rebuildRegistry() async throws -> RebuildReport {
        let companions = Registry.companions.map { FilePath(sandbox.registry.string + $0) }
        let isThere = try ([sandbox.registry, sandbox.plugins] + companions).contains {
            try FileSystem.item(at: $0) != nil
        }
        guard isThere else { return RebuildReport() }
        return try await exclusively(mending: true) {
            try self.registry.putAwayForeignCompanions()
            let old = try self.registry.salvage()
            var report = RebuildReport()
            let found = try self.found(&report)
            report.oldRegistry = try self.registry.replace { new in
                try new.restore(floors: old.floors, quarantine: old.quarantine)
                try new.keep(erasures: old.erasures)
                // What was active has what it declares, whoever comes before it in the alphabet.
                let isKnown = { (identifier: String) in old.places[identifier] != nil }
                for identifier in found.keys.sorted().filter(isKnown) + found.keys.sorted().filter({ !isKnown($0) }) {
                    try self.enter(identifier, found[identifier] ?? [], old, into: new, &report)
                }
                try new.restore(reasons: old.reasons, pins: old.pins, uninstalled: old.uninstalled)
            }
            return report
        }
    }

    /// The versions that lie sound on the disk, highest first.
    private nonisolated func found(_ report: inout RebuildReport) throws(AtriumError) -> [String: [FoundVersion]] {
        var found: [String: [FoundVersion]] = [:]
        // Behind a link to a folder too.
        guard case .folder = try FileSystem.item(at: sandbox.plugins.appending(".")) else { return found }
        for identifier in try FileSystem.names(in: sandbox.plugins) {
            let place = sandbox.plugins.appending(identifier)
            guard case .folder = try FileSystem.item(at: place) else { continue }
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
                    // Nothing is left out because it couldn't be read.
                    if error.isOfPlace { throw error }
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
        let verdict = try SealedFolder(folder, converters: converters).verdict(by: authority)
        if let refusal = verdict.refusal(of: folder.lastComponent) { throw refusal }
        guard let (manifest, source) = verdict.manifest, let digest = verdict.digest, let seal = verdict.seal,
            let keyID = verdict.keyID,
            manifest.identity.identifier == identifier, sandbox.folder(of: manifest.identity, digest: digest) == folder
        else {
            throw AtriumError(.sealBroken, folder.lastComponent, detail: "it does not lie where it belongs")
        }
        let library = manifest.entry.flatMap { seal.file(LibraryPreflight.place(of: $0)) }
        let bundle = PluginBundle(
            manifest, digest: digest, size: try FileSystem.size(of: folder), installedAt: Clock.now(),
            seal: SealRecord(
                team: seal.team, keyID: keyID.description, libraryDigest: library?.sha256, libraryStamp: nil))
        return FoundVersion(version: PlacedVersion(bundle: bundle, manifest: manifest, source: source))
    }

    /// Puts a bundle's versions in the places that they had; where nobody knows any more what was active, the highest is.
    private nonisolated func enter(
        _ identifier: String, _ versions: [FoundVersion], _ old: Salvage, into new: Registry,
        _ report: inout RebuildReport
    ) throws(AtriumError) {
        let barred = Dictionary(
            old.quarantine.filter { $0.identity.identifier == identifier }.map { ($0.digest, $0.reason) }
        ) { $1 }
        let usable = versions.filter { barred[$0.bundle.digest] == nil }
        let staged = usable.first { $0.name == old.staged[identifier] }
        let place = old.place(of: identifier)
        let running: [FoundVersion] =
            switch place {
            case .active(let active, let previous):
                [active, previous].compactMap { name in usable.first { $0.name == name } }
            case .none: []
            case .unknown: Array(usable.filter { $0.name != staged?.name }.prefix(2))
            }
        var entered = running.map(\.name)
        do throws(AtriumError) {
            if let active = running.first {
                try new.commit([.activate(active.version(provenAt: old.proofs[active.name]))])
                report.active.append(active.bundle)
                // Whether it gets on with the others is for a rollback to find out.
                if let previous = running.dropFirst().first {
                    try new.keep(previous.version(provenAt: old.proofs[previous.name]), behind: active.bundle)
                }
            }
        } catch {
            guard [.routeConflict, .targetConflict, .serviceConflict].contains(error.code) else { throw error }
            for version in running {
                report.leftOut.append(.init(path: sandbox.folder(of: version.bundle), reason: error.detail))
            }
        }
        if let staged {
            try new.commit([.stage(staged.version(provenAt: old.proofs[staged.name]))])
            report.staged.append(staged.bundle)
            entered.append(staged.name)
        }
        for version in versions where !entered.contains(version.name) {
            let reason = barred[version.bundle.digest].map { "it was put away: \($0)" } ?? place.reasonToLeaveOut
            report.leftOut.append(.init(path: sandbox.folder(of: version.bundle), reason: reason))
        }
    }
}

extension Salvage.Place {
    /// Why a sound version has no place in the new registry.
    fileprivate var reasonToLeaveOut: String {
        switch self {
        case .active, .none: "the registry does not name it: it was uninstalled, or others are used instead"
        case .unknown: "two higher versions are there"
        }
    }
}
