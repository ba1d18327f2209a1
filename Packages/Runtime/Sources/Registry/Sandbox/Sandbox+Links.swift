package import HostSystem
package import PluginCore

/// Protection against links: the sandbox never writes, checks or removes anything through a link, except that its root may be one.
extension Sandbox {
    /// Checks that no component of the paths from the root to some folders is a link.
    ///
    /// - Throws: ``AtriumError`` with code `sandboxUnwritable` and the link as subject, or `inputOutput`.
    package func requireOwn(_ folders: [FilePath]) throws(AtriumError) {
        guard let link = try link(onTheWayTo: folders) else { return }
        throw AtriumError(
            .sandboxUnwritable, link.string, reason: "symbolicLink")
    }

    /// Opens a folder of the sandbox.
    ///
    /// - Returns: `nil` when it doesn't exist or its path contains a link.
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when that can't be determined.
    package func openedUnlessLinked(_ folder: FilePath) throws(AtriumError) -> OpenFolder? {
        try link(onTheWayTo: [folder]) == nil ? try opened(folder) : nil
    }

    /// Returns the first link in the paths from the root to some folders.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when that can't be determined.
    func link(onTheWayTo folders: [FilePath]) throws(AtriumError) -> FilePath? {
        var seen: Set<String> = []
        for folder in folders {
            for place in way(to: folder) where seen.insert(place.string).inserted {
                if case .link = try FileSystem.item(at: place) { return place }
            }
        }
        return nil
    }

    /// Opens a folder of the sandbox.
    ///
    /// - Returns: `nil` when it doesn't exist.
    /// - Throws: as ``requireOwn(_:)``.
    package func opened(_ folder: FilePath) throws(AtriumError) -> OpenFolder? {
        try OpenFolder.open(folder, below: root, by: way(to: folder).map(\.lastComponent)) { () throws(AtriumError) in
            try requireOwn([folder])
        }
    }

    /// Returns the folders between the root and a folder of the sandbox, outermost first, without the root.
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
