import Glibc
import PluginCore
import Synchronization

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
        let path = FilePath(path)
        return (path.parent.string, path.lastComponent)
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

extension FileSystem {
    /// Writes the files of all file systems to the disk, which costs less than syncing each of many files.
    package static func syncAll() { Glibc.sync() }
}

private let lastSerial = Atomic<Int>(0)

/// Returns a name that is unique among all calls of all living processes.
package func processSerial() -> String {
    "\(getpid())-\(lastSerial.add(1, ordering: .relaxed).newValue)"
}
