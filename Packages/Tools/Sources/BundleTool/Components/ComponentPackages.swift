import BundleFormat
import Console
import PluginCore
import Trust

/// The packages with which an author tries a plugin: those of the command line, and those of the plugins whose Interfaces `bundletool add` has added.
///
/// The latter come from the catalogs that it has recorded, with everything that they require or call, and must be signed by the recorded teams.
/// They are fetched again when that record changes.
extension PluginProject {
    /// Returns the packages, those of the command line first.
    ///
    /// - Parameter given: The packages of the command line, which replace those of the catalogs.
    /// - Throws: ``CommandError`` for a file or a version that does not exist; `AtriumError` of the catalogs and of packages.
    func packages(besides given: [FilePath]) throws -> [FilePath] {
        let known = Set(try Files.packages(given).map { try $0.manifest().identity.identifier })
        let lock = try componentLock()
        guard lock.components.contains(where: { !known.contains($0.identifier) }) else { return given }
        let trust = try Files.bytes(of: componentTrust, limit: TrustStore.sizeLimit, remedy: "hostTrust")
        let folder = workFolder.appending("component-packages")
        try Files.makeFolder(workFolder)
        try Files.whileLocked(workFolder.appending("component-packages.lock")) {
            let content = lock.text + String(decoding: trust, as: UTF8.self) + "\(known.sorted())"
            try record(content, as: "component-packages.txt") {
                Files.removeTree(folder)
                try Files.makeFolder(folder)
                let store = try TrustStore(reading: trust, named: componentTrust.string)
                try fetch(lock, besides: known, trusting: store, into: folder)
            }
        }
        return given + (try Files.names(in: folder).sorted().map(folder.appending))
    }

    /// Returns the packages with which the plugin is packed: those of the command line, and the recorded ones if it links a library of them.
    func linkedPackages(besides given: [FilePath]) throws -> [FilePath] {
        try componentLock().components.contains(where: \.isLibrary) ? packages(besides: given) : given
    }

    /// Fetches the newest version of each component in its range, and of what it requires or calls.
    private func fetch(
        _ lock: ComponentLock, besides given: Set<BundleIdentifier>, trusting store: TrustStore, into folder: FilePath
    ) throws {
        let sources = try Set(lock.components.map(\.catalog)).sorted().map { catalog in
            let root = try Files.bytes(of: components.appending(rootName(of: catalog)), limit: 1 << 20, remedy: "root")
            return try ComponentSource(
                ComponentSource.address(catalog), root: root, folder: workFolder.appending("catalogs"))
        }
        var (known, waiting) = (given, [(identifier: BundleIdentifier, range: VersionRange)]())
        for component in lock.components {
            waiting.append((component.identifier, VersionRange(component.range) ?? .any))
        }
        while !waiting.isEmpty {
            let (identifier, range) = waiting.removeFirst()
            guard known.insert(identifier).inserted else { continue }
            for source in sources {
                // What no catalog has is named by the host that installs the plugin.
                guard
                    let found = try source.fetchPackage(of: identifier, in: range, trusting: store, into: folder)
                else { continue }
                waiting += found.requirements.map { ($0.identifier, $0.versions) }
                break
            }
        }
    }
}
