import Registry
package import HostSystem
public import PluginCore

/// The result of a garbage collection: the removed folders, and those that are still in use.
public struct CollectionReport: Hashable, Sendable {
    /// The removed folders.
    public var removed: [FilePath] = []
    /// The total size of their files, in bytes.
    public var freed: Int64 = 0
    /// The folders that the registry doesn't list but a living process uses.
    public var inUse: [FilePath] = []

    package init() {}

    /// Adds a folder with the size of its files; `nil` if it couldn't be removed.
    package mutating func add(_ folder: FilePath, freed size: Int64?) {
        guard let size else { return }
        removed.append(folder)
        freed += size
    }
}

/// The garbage collector: removes replaced versions and leftovers that the registry doesn't list and no living process uses.
///
/// The caller must hold the ``WriterLock``.
package struct Collector: SandboxPart {
    package let transactions: SandboxTransactions

    /// Collects unused versions of some bundles.
    ///
    /// - Parameter active: The data versions that were active when bundles were uninstalled, which are kept.
    /// - Throws: ``AtriumError`` with code `registryDamaged`, `inputOutput`, or `sandboxUnwritable`, also when a link is in the place of a
    ///   folder.
    package func collect(
        _ identifiers: some Sequence<BundleIdentifier>, keepingData active: [BundleIdentifier: Int] = [:]
    ) throws(AtriumError) {
        guard let plugins = try sandbox.opened(sandbox.plugins) else { return }
        var report = CollectionReport()
        for identifier in Set(identifiers) {
            try collect(in: EntryName(identifier.text), of: plugins, &report)
            try collectData(of: identifier, active: active[identifier], &report)
        }
    }

    /// Removes the data versions that no version of the registry has, unless a process uses the data, and never the one that was used last.
    package func collectData(
        of identifier: BundleIdentifier, withKept includesKept: Bool = false, active: Int? = nil,
        _ report: inout CollectionReport
    ) throws(AtriumError) {
        // Without a registry, nothing is known to be unused.
        guard try FileSystem.isFile(sandbox.registry) else { return }
        let folders = DataFolders(of: identifier, in: sandbox)
        guard try folders.numbers().count > 1 || includesKept,
            case .taken(let lock) = try folders.lock()
        else { return }
        defer { lock.release() }
        if let active { try folders.settle(on: active) }
        let kept = Set(try registry.versions.all(of: identifier).map(\.dataVersion))
        let (removed, freed) = try folders.remove(except: kept, withKeptFolders: includesKept)
        report.removed += removed
        report.freed += freed
    }

    /// Removes leftovers of interrupted work, and returns their size in bytes.
    ///
    /// - Throws: ``AtriumError`` with code `sandboxUnwritable` when a link is in the place of the folder, or `inputOutput`.
    @discardableResult
    package func sweepStaging() throws(AtriumError) -> Int64 {
        guard let staging = try sandbox.opened(sandbox.staging) else { return 0 }
        var freed: Int64 = 0
        for name in (try? staging.names()) ?? [] {
            // A copy of data, which is made without the writer lock, is locked while it is made.
            let attempt = try? FolderLock.attempt(staging.path.appending(name.words), .exclusive)
            if case .busy = attempt { continue }
            freed += (try? staging.free(name)) ?? 0
            if case .taken(let lock) = attempt { lock.release() }
        }
        return freed
    }

    /// Informs the observer that a version was removed from its folder.
    ///
    /// The folder is named `<identifier>/<version>-<digest12>`.
    private func tellRemoved(_ folder: FilePath) {
        let name = folder.lastComponent
        guard let dash = name.lastIndex(of: "-"), let version = SemanticVersion(String(name[..<dash])),
            let identifier = BundleIdentifier(folder.parent.lastComponent)
        else { return }
        transactions.lifecycles.tell(identifier.at(version), .removed)
    }

    /// Removes the unused versions in the folder of a bundle.
    package func collect(
        in identifier: EntryName, of plugins: OpenFolder, _ report: inout CollectionReport
    ) throws(AtriumError) {
        for (place, name, isFile) in try unlisted(in: identifier, of: plugins) {
            let path = place.path.appending(name.words)
            if isFile {
                _ = try? place.free(name)
            } else if identifier.text == nil || name.text == nil {
                // No version has such a name, so no process uses the folder.
                report.add(path, freed: try? place.free(name))
            } else {
                try collect(path, &report)
            }
        }
        FileSystem.removeIfEmpty([plugins.path.appending(identifier.words)])
    }

    /// Returns the entries in the folder of a bundle that the registry doesn't list, or the file in its place.
    ///
    /// Links, which stay with their targets, are not among them.
    ///
    /// - Throws: as ``OpenFolder/item(_:)``, because versions in use may be in an item that can't be examined.
    package func unlisted(
        in identifier: EntryName, of plugins: OpenFolder
    ) throws(AtriumError) -> [(place: OpenFolder, name: EntryName, isFile: Bool)] {
        if case .file = try plugins.item(identifier) { return [(plugins, identifier, true)] }
        guard let place = try plugins.opened(identifier) else { return [] }
        let bundle = identifier.text.flatMap { BundleIdentifier($0) }
        let versions = try bundle.map(registry.versions.all(of:)) ?? []
        let named = Set(versions.map { sandbox.folder(of: $0).string })
        var found: [(place: OpenFolder, name: EntryName, isFile: Bool)] = []
        for name in try place.names() where !named.contains(place.path.appending(name.words).string) {
            switch try place.item(name) {
            case .file: found.append((place, name, true))
            case .folder: found.append((place, name, false))
            case .link, .other, nil: continue
            }
        }
        return found
    }

    /// Removes a version, unless a process uses it.
    private func collect(_ folder: FilePath, _ report: inout CollectionReport) throws(AtriumError) {
        guard let lock = try FolderLock.removal(of: folder) else {
            if try FileSystem.isFolder(folder) { report.inUse.append(folder) }
            return
        }
        defer { lock.release() }
        guard let freed = try? sandbox.discard(folder) else { return }
        report.add(folder, freed: freed)
        tellRemoved(folder)
    }
}
