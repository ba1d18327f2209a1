import Glibc
import PluginCore

/// A file that is written under a temporary name, and appears under its own name when it is complete.
///
/// A file that is not committed is removed when it is released.
package final class NewFile<Failure: SystemFailure>: Sendable {
    private let folder: Descriptor<Failure>
    /// The open file.
    package let file: Descriptor<Failure>
    private let temporaryName: String
    /// The end of temporary names, which begin with a dot.
    private static var suffix: String { ".tmp" }

    /// Creates an empty file with a temporary name.
    ///
    /// - Parameters:
    ///   - folder: The folder of the file.
    ///   - isPrivate: A Boolean value that indicates whether other users may not read the file.
    package convenience init(in folder: Descriptor<Failure>, isPrivate: Bool = false) throws(Failure) {
        // The temporary name is short, because the final name may have the maximum length.
        let name = ".\(String(UInt64.random(in: 0 ... .max), radix: 36))\(Self.suffix)"
        try self.init(in: folder, named: name, mode: isPrivate ? 0o600 : 0o644)
    }

    init(in folder: Descriptor<Failure>, named temporaryName: String, mode: mode_t) throws(Failure) {
        self.folder = folder
        self.temporaryName = temporaryName
        file = try folder.createFile(temporaryName, mode: mode)
    }

    deinit {
        // After the commit, there is no file of this name.
        _ = try? folder.remove(temporaryName)
    }

    static func isTemporary(_ name: String) -> Bool { name.hasPrefix(".") && name.hasSuffix(suffix) }

    /// Returns the folder and the name of a file with a path.
    package static func location(of path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        return (slash == path.startIndex ? "/" : String(path[..<slash]), String(path[path.index(after: slash)...]))
    }

    /// Appends bytes.
    package func append(_ bytes: [UInt8]) throws(Failure) { try file.append(bytes) }

    /// Writes the file to the disk and gives it its name, in place of an existing file.
    ///
    /// - Parameter isSynced: A Boolean value that indicates whether the file is on the disk afterwards, also after a power failure. If
    ///   not, ``FileSystem/syncAll()`` must follow.
    package func commit(as name: String, isSynced: Bool = true) throws(Failure) {
        if isSynced { try file.sync() }
        try folder.rename(temporaryName, to: name)
        if isSynced { try folder.sync() }
    }
}

/// A file that grows at its end until it is complete, also in several processes one after another.
///
/// Only one process or task has the file at a time. When that process is killed, the next one finds all that was written.
///
/// ```swift
/// if let partial = try PartialFile.lock(".shop.zip.partial", in: folder) {
///     try partial.file.write(piece)
///     try partial.commit(as: "shop.zip")
/// }
/// ```
package final class PartialFile<Failure: SystemFailure>: Sendable {
    private let folder: Descriptor<Failure>
    private let name: String
    /// The open file.
    package let file: Descriptor<Failure>

    private init(_ file: Descriptor<Failure>, name: String, in folder: Descriptor<Failure>) {
        self.file = file
        self.name = name
        self.folder = folder
    }

    /// Opens or creates a file and locks it until the result is released, or returns nil if another one holds the lock.
    package static func lock(_ name: String, in folder: Descriptor<Failure>) throws(Failure) -> PartialFile? {
        while true {
            let file = try folder.openToAppend(name)
            guard try file.tryLock() else { return nil }
            guard case .file = try file.item else { throw Failure(errno: EINVAL, path: file.path.string) }
            // The last owner may have removed or renamed the file between the two calls above.
            if try folder.has(file, as: EntryName(name)) { return PartialFile(file, name: name, in: folder) }
        }
    }

    /// Removes the file.
    package func remove() throws(Failure) { try folder.remove(name) }

    /// Writes the file to the disk and gives it its final name, in place of an existing file.
    package func commit(as newName: String) throws(Failure) {
        try file.sync()
        try folder.rename(name, to: newName)
        try folder.sync()
    }
}

extension FileSystem {
    /// Writes the files of all file systems to the disk, which costs less than syncing each of many files.
    package static func syncAll() { Glibc.sync() }
}
