#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
public import PluginCore

/// What a collection took off the disk, and what it left because somebody uses it.
public struct CollectionReport: Hashable, Sendable {
    /// The folders that went.
    public var removed: [FilePath] = []
    /// Their files' sizes in bytes.
    public var freed: Int64 = 0
    /// The folders that the registry does not name and a living process uses.
    public var inUse: [FilePath] = []
}

/// Takes off the disk what the registry does not name: versions that were replaced, the rests of interrupted work. Never what
/// a living process uses. Only who has the ``WriterLock`` may collect.
struct Collector: Sendable {
    let sandbox: Sandbox
    let registry: Registry
    let lifecycles: Lifecycles

    /// Collects in the whole sandbox.
    func collect() throws(AtriumError) -> CollectionReport {
        var report = CollectionReport()
        report.freed += sweepStaging()
        let named = Set(try registry.versions().map { sandbox.folder(of: $0).string })
        for path in sandbox.registryRemains() {
            let size = FileSystem.size(of: path)
            guard (try? FileSystem.remove(path)) != nil else { continue }
            report.removed.append(path)
            report.freed += size
        }
        for identifier in (try? FileSystem.names(in: sandbox.plugins)) ?? [] {
            collect(in: sandbox.plugins.appending(identifier), named, &report)
        }
        return report
    }

    /// Collects among the versions of some bundles.
    func collect(_ identifiers: some Sequence<String>) throws(AtriumError) {
        var report = CollectionReport()
        for identifier in Set(identifiers) {
            let named = Set(try registry.versions(of: identifier).map { sandbox.folder(of: $0).string })
            collect(in: sandbox.plugins.appending(identifier), named, &report)
        }
    }

    /// Removes what earlier work left half done; returns how many bytes that was.
    @discardableResult
    func sweepStaging() -> Int64 {
        guard let names = try? FileSystem.names(in: sandbox.staging) else { return 0 }
        var freed: Int64 = 0
        for name in names {
            let path = sandbox.staging.appending(name)
            let size = FileSystem.size(of: path)
            if (try? FileSystem.remove(path)) != nil { freed += size }
        }
        return freed
    }

    /// Tells that a version has gone from its folder, `<identifier>/<version>-<digest12>`.
    private func tellRemoved(_ folder: FilePath) {
        let name = folder.lastComponent
        guard let dash = name.lastIndex(of: "-"), let version = SemanticVersion(String(name[..<dash])) else { return }
        let identity = BundleIdentity(identifier: folder.parent.lastComponent, version: version)
        let digest = name[name.index(after: dash)...]
        let entry = (try? registry.quarantine())?.first { $0.identity == identity && $0.digest.hasPrefix(digest) }
        var lifecycle = lifecycles.resume(
            identity, in: entry.map { .quarantined(reason: $0.reason) } ?? .retired(.released))
        lifecycle.remove()
    }

    private func collect(in place: FilePath, _ named: Set<String>, _ report: inout CollectionReport) {
        switch FileSystem.item(at: place) {
        case .folder: break
        // It is not there, or nobody may know what is; versions in use may be in it.
        case nil: return
        case .file, .other:
            // Nothing of ours is a file there.
            try? FileSystem.remove(place)
            return
        }
        for name in (try? FileSystem.names(in: place)) ?? [] {
            let folder = place.appending(name)
            guard !named.contains(folder.string) else { continue }
            guard FileSystem.isFolder(folder) else {
                try? FileSystem.remove(folder)
                continue
            }
            guard let lock = VersionHolds.removal(of: folder) else {
                report.inUse.append(folder)
                continue
            }
            defer { close(lock) }
            let size = FileSystem.size(of: folder)
            // Out of sight in one step first. What can not be removed now is swept later.
            let away = sandbox.staging.appending("discarded-\(processSerial())")
            guard (try? FileSystem.rename(folder, to: away)) != nil else { continue }
            try? FileSystem.remove(away)
            tellRemoved(folder)
            report.removed.append(folder)
            report.freed += size
        }
        FileSystem.removeIfEmpty([place])
    }
}
