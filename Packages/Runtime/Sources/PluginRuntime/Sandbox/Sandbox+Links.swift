internal import CSystem
#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
import PluginCore

/// What lies behind a link is not the sandbox's to fill, to judge or to sweep. Its root may be one, because whoever names the sandbox names
/// that.
extension Sandbox {
    /// Makes sure that no link is on the way from the root to some of its folders.
    ///
    /// - Throws: ``AtriumError`` with code `sandboxUnwritable`, the link as subject, or `inputOutput`.
    func requireOwn(_ folders: [FilePath]) throws(AtriumError) {
        guard let link = try link(onTheWayTo: folders) else { return }
        throw AtriumError(
            .sandboxUnwritable, link.string, detail: "it is a link, and only the sandbox itself may be behind one")
    }

    /// Opens one of its folders; `nil` when there is none, or a link is on the way to it.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when that can't be known.
    func openedUnlessLinked(_ folder: FilePath) throws(AtriumError) -> OpenFolder? {
        try link(onTheWayTo: [folder]) == nil ? try opened(folder) : nil
    }

    /// The first link on the way from the root to some of its folders.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when that can't be known.
    func link(onTheWayTo folders: [FilePath]) throws(AtriumError) -> FilePath? {
        var seen: Set<String> = []
        for folder in folders {
            for place in way(to: folder) where seen.insert(place.string).inserted {
                if case .link = try FileSystem.item(at: place) { return place }
            }
        }
        return nil
    }

    /// Opens one of its folders; `nil` when there is none.
    ///
    /// - Throws: as ``requireOwn(_:)``.
    func opened(_ folder: FilePath) throws(AtriumError) -> OpenFolder? {
        let root = open(self.root.string, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard root >= 0 else {
            if errno == ENOENT { return nil }
            throw FileSystem.failure("opening it", self.root)
        }
        defer { close(root) }
        let descriptor = csystem_open_below(root, way(to: folder).map(\.lastComponent).joined(separator: "/"))
        guard descriptor >= 0 else {
            let number = errno
            if number == ENOENT { return nil }
            try requireOwn([folder])
            throw FileSystem.failure("opening it", folder, number)
        }
        return OpenFolder(descriptor, at: folder)
    }

    /// The folders from the root, which is none of them, to one of the sandbox's, outermost first.
    private func way(to folder: FilePath) -> [FilePath] {
        var way: [FilePath] = []
        var place = folder
        while place.string.utf8.count > root.string.utf8.count, place.string != "." {
            way.insert(place, at: 0)
            place = place.parent
        }
        return way
    }
}
