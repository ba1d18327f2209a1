import Glibc
package import PluginCore

// The removal of a folder with all of its contents.
//
// It walks the tree through open folders and raw entry names, so a link that is swapped in meanwhile can't lead it elsewhere. Folders in
// folders are first moved up into the removed one, so a tree may be deeper than the longest path, and few descriptors are open at any depth.
extension OpenFolder {
    /// Removes an entry with all of its contents, and returns the total size of the removed files in bytes.
    package func free(_ name: EntryName) throws(AtriumError) -> Int64 {
        try Self.free(name, in: raw, at: place(name.words))
    }

    fileprivate static func free(
        _ name: EntryName, in parent: Int32, at path: FilePath
    ) throws(AtriumError) -> Int64 {
        var freed: Int64 = 0
        // Each pass takes a level of folders away; a process that adds more meanwhile must not keep this one busy.
        for _ in 0..<(1 << 16) {
            if let size = try removeEntry(name, in: parent, at: path) { return freed + size }
            let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW
            guard let root = try open(name, in: parent, at: path, flags, except: [ENOENT]) else { return freed }
            for name in try root.names() { freed += try root.freeOneLevel(name) }
        }
        throw FileSystem.failure(reason: "removingFailed", path, ENOTEMPTY)
    }

    /// Removes an entry, or if it is a folder, what is in it, of which folders are moved up into this one.
    private func freeOneLevel(_ name: EntryName) throws(AtriumError) -> Int64 {
        if let size = try Self.removeEntry(name, in: raw, at: path) { return size }
        guard let folder = try opened(name) else { return 0 }
        var freed: Int64 = 0
        for inner in try folder.names() {
            if let size = try Self.removeEntry(inner, in: folder.raw, at: path) {
                freed += size
            } else {
                let moved = EntryName(".\(UInt64.random(in: 0 ... .max))")
                try call("removingFailed") { renameat(folder.raw, inner.bytes, $0, moved.bytes) }
            }
        }
        return freed
    }

    /// Removes an entry, and returns its size if it is a file; `nil` for a folder that isn't empty.
    private static func removeEntry(
        _ name: EntryName, in folder: Int32, at path: FilePath
    ) throws(AtriumError) -> Int64? {
        var status = stat()
        let found = try attempt("readingAttributesFailed", path, except: FileSystem.absence) {
            fstatat(folder, name.bytes, &status, AT_SYMLINK_NOFOLLOW)
        }
        if found == nil { return 0 }
        let isFolder = status.kind == S_IFDIR
        let removed = try attempt("removingFailed", path, except: isFolder ? [ENOENT, ENOTEMPTY, EEXIST] : [ENOENT]) {
            unlinkat(folder, name.bytes, isFolder ? AT_REMOVEDIR : 0)
        }
        if removed == nil { return isFolder ? nil : 0 }
        return status.kind == S_IFREG ? Int64(status.st_size) : 0
    }

    /// Removes the subfolders that contain no files.
    fileprivate func removeFolders() throws(AtriumError) {
        for name in try names() {
            guard let inner = try opened(name) else { continue }
            try inner.removeFolders()
            unlinkat(raw, name.bytes, AT_REMOVEDIR)
        }
    }
}

extension FileSystem {
    /// Removes a file or a folder with all of its contents, without following links; does nothing when it doesn't exist.
    package static func remove(_ path: FilePath) throws(AtriumError) {
        _ = try free(path)
    }

    /// Removes a file or a folder with all of its contents and returns the total size of the removed files, in bytes.
    package static func free(_ path: FilePath) throws(AtriumError) -> Int64 {
        try OpenFolder.free(EntryName(path.string), in: AT_FDCWD, at: path)
    }

    /// Removes a folder and its subfolders, except those that contain files.
    package static func removeFolders(_ path: FilePath) throws(AtriumError) {
        try OpenFolder.open(path)?.removeFolders()
        removeIfEmpty([path])
    }
}
