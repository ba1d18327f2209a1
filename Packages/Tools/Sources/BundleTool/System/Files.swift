import BundleFormat
import Console
import FoundationEssentials
import Glibc
import PluginCore

/// The module's access to the file system.
enum Files {
    enum Kind: Equatable {
        case file(size: Int)
        case folder
        case other
    }

    /// Returns the kind of file at a path; `nil` if there is none.
    static func kind(of path: FilePath, followingLinks: Bool = true) -> Kind? {
        var status = stat()
        guard (followingLinks ? stat(path.string, &status) : lstat(path.string, &status)) == 0 else { return nil }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return .file(size: Int(status.st_size))
        case S_IFDIR: return .folder
        default: return .other
        }
    }

    /// Checks that a path is a file or doesn't exist, so that a file can be written there; links are followed.
    ///
    /// - Throws: ``CommandError`` if the path is a folder, a pipe or a device, which would be lost.
    static func requireRoom(forFile path: FilePath) throws {
        guard path.isFile || !path.exists else { throw CommandError.alreadyThere(path, remedy: "output") }
    }

    /// Reads the contents of a file.
    ///
    /// - Throws: ``CommandError`` if the file doesn't exist, ``AtriumError`` with code `inputOutput` if it cannot be read or is larger
    ///   than `limit` bytes. The remedy is for a missing file.
    static func bytes(of path: FilePath, limit: Int, remedy: String = "change") throws -> [UInt8] {
        do {
            return try NamedFile.bytes(of: path, limit: limit)
        } catch  where error.code == NamedFile.unknown {
            throw CommandError.notThere(path, remedy: remedy)
        }
    }

    /// Returns the relative paths of everything below a folder, sorted.
    static func names(below folder: FilePath) throws -> [String] {
        try attempt(folder, failing: "folderUnlistable") {
            try FileManager.default.subpathsOfDirectory(atPath: folder.string).sorted()
        }
    }

    /// Returns the names in a folder in arbitrary order.
    static func names(in folder: FilePath) throws -> [String] {
        try attempt(folder, failing: "folderUnlistable") {
            try FileManager.default.contentsOfDirectory(atPath: folder.string)
        }
    }

    /// Writes a text file in one step; an older one is replaced.
    static func replace(_ path: FilePath, with text: String) throws {
        try attempt(path, failing: "fileNotWritten") {
            try Data(text.utf8).write(to: URL(filePath: path.string), options: .atomic)
        }
    }

    /// Creates a folder and its parent folders.
    static func makeFolder(_ folder: FilePath) throws {
        try attempt(folder, failing: "folderNotCreated") {
            try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
        }
    }

    /// Returns whether a folder has no entries, or no others than the given ones.
    static func isEmptyFolder(_ folder: FilePath, except names: Set<String> = []) -> Bool {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.string))?.allSatisfy(names.contains) == true
    }

    /// A temporary name for a file that is moved to its final name when it is complete.
    static var passingName: String { ".bundletool-\(String(UInt64.random(in: 0 ... .max), radix: 36))" }

    /// Moves the contents of a folder to its parent folder, which must contain nothing else, and removes the empty folder.
    ///
    /// - Returns: `false` if another process has added something to the parent folder. In that case, and after an error, the
    ///   contents have been removed.
    static func dissolve(_ folder: FilePath) throws -> Bool {
        let target = folder.parent
        var moved: [FilePath] = []
        defer { for path in moved + [folder] { removeTree(path) } }
        guard try names(in: target) == [folder.lastComponent] else { return false }
        for name in try names(in: folder) {
            let path = target.appending(name)
            guard rename(folder.appending(name).string, path.string) == 0 else { throw failure(path) }
            moved.append(path)
        }
        moved = []
        return true
    }

    /// Gives a file or folder another path, also on another file system.
    static func move(_ path: FilePath, to target: FilePath) throws {
        if rename(path.string, target.string) == 0 { return }
        let number = errno
        guard number == EXDEV, case .file = kind(of: path, followingLinks: false) else {
            throw failure(target, number)
        }
        removeTree(target)
        try copy(path, to: target)
        removeTree(path)
    }

    /// Creates a symbolic link.
    static func link(_ path: FilePath, to target: FilePath) throws {
        try attempt(path, failing: "fileNotWritten") {
            try FileManager.default.createSymbolicLink(atPath: path.string, withDestinationPath: target.string)
        }
    }

    /// Allows all users to execute a file.
    static func makeExecutable(_ path: FilePath) throws {
        guard chmod(path.string, 0o755) == 0 else { throw failure(path) }
    }

    /// Copies a file, or a folder with its contents.
    static func copy(_ path: FilePath, to target: FilePath) throws {
        try attempt(target, failing: "fileNotWritten") {
            try FileManager.default.copyItem(atPath: path.string, toPath: target.string)
        }
    }

    /// Removes a folder and its contents as far as possible.
    ///
    /// A process that is about to end can still create or remove a file in the folder, which makes one try fail.
    static func removeTree(_ folder: FilePath) {
        for attempt in 0..<10 where kind(of: folder, followingLinks: false) != nil {
            if attempt > 0 { usleep(20_000) }
            try? FileManager.default.removeItem(atPath: folder.string)
        }
    }

    /// Passes the path of a new folder to a body, and removes the folder afterwards.
    static func withTemporaryFolder<Result>(_ body: (FilePath) throws -> Result) throws -> Result {
        let folder = FilePath(FileManager.default.temporaryDirectory.path).appending(passingName)
        try makeFolder(folder)
        defer { removeTree(folder) }
        return try body(folder)
    }

    private static func attempt<Result>(
        _ path: FilePath, failing reason: String, _ body: () throws -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch {
            throw AtriumError(.inputOutput, path, reason: reason)
        }
    }

    /// Returns the error of the last system call.
    static func failure(_ path: FilePath, _ number: Int32 = errno) -> AtriumError {
        AtriumError(.inputOutput, path, reason: .verbatim(System.message(errno: number)))
    }
}

extension FilePath {
    /// A Boolean value that indicates whether something is at the path; links are followed.
    var exists: Bool { Files.kind(of: self) != nil }
    /// A Boolean value that indicates whether a regular file is at the path; links are followed.
    var isFile: Bool { if case .file = Files.kind(of: self) { true } else { false } }
    /// A Boolean value that indicates whether a folder is at the path; links are followed.
    var isFolder: Bool { Files.kind(of: self) == .folder }
}

extension Files {
    /// Returns package files that exist.
    ///
    /// - Throws: ``CommandError`` for the first that doesn't exist.
    @discardableResult
    static func packages(_ paths: [FilePath]) throws -> [PackageFile] {
        for path in paths where !path.isFile { throw CommandError.notThere(path, remedy: "package") }
        return paths.map(PackageFile.init)
    }
}

extension Files {
    /// Creates a new file and waits until it is on disk.
    ///
    /// - Parameter mode: the permissions, which apply from the file's creation on.
    /// - Throws: ``CommandError`` if the path exists, ``AtriumError`` with code `inputOutput`. After an error no file remains.
    static func create(_ path: FilePath, _ content: String, mode: mode_t, remedy: String) throws {
        let file = open(path.string, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
        guard file >= 0 else {
            if errno == EEXIST { throw CommandError.alreadyThere(path, remedy: remedy) }
            throw failure(path)
        }
        defer { close(file) }
        guard (try? StandardOutput.write(content, descriptor: file)) == true, fsync(file) == 0 else {
            let failure = failure(path)
            unlink(path.string)
            throw failure
        }
    }

    /// Runs a closure while no other process does so with the same file, which is created if necessary.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput`, and the errors of the closure.
    static func whileLocked<R>(_ path: FilePath, _ body: () throws -> R) throws -> R {
        let file = open(path.string, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw failure(path) }
        defer {
            // A child process has a copy of the descriptor until it starts its program.
            _ = flock(file, LOCK_UN)
            close(file)
        }
        if flock(file, LOCK_EX | LOCK_NB) != 0 {
            StandardOutput.note("Another command of bundletool builds the plugin; waiting until it has done so.\n")
            while flock(file, LOCK_EX) != 0 { guard errno == EINTR else { throw failure(path) } }
        }
        return try body()
    }

    /// Locks a file, which is created if necessary, until this process and the programs that replace it end.
    ///
    /// - Returns: `false` if another process has locked it.
    /// - Throws: ``AtriumError`` with code `inputOutput`.
    static func lockUntilEnd(_ path: FilePath) throws -> Bool {
        // The descriptor is inherited on purpose.
        let file = open(path.string, O_RDWR | O_CREAT, 0o644)
        if file >= 0, flock(file, LOCK_EX | LOCK_NB) == 0 { return true }
        guard errno == EWOULDBLOCK else { throw failure(path) }
        close(file)
        return false
    }
}
