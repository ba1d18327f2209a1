import CObservedWrites
import FoundationEssentials
import Glibc
import HostSystem
public import PluginCore
import Synchronization

/// The files and folders of the sandbox in which the runtime itself keeps its state.
private let runtimeFiles = [
    "Containers/Bundle/registry.sqlite", "Containers/Bundle/CrashLogs", "Containers/Bundle/CrashReports",
    "Containers/Bundle/host.lock", "Containers/Bundle/MinimumVersions",
]

/// The check of the files that a plugin writes.
extension CheckRun {
    /// Uses everything that the plugin offers, and compares the files before and after.
    func observeWrites() async throws {
        // The folders that the installed bundles may write to, from the folder of the run.
        let start = root.string.count + 1
        let folders = try host.writableFolders().map { String($0.string.dropFirst(start)) }
        let allowed = folders + runtimeFiles.map { "sandbox/\($0)" }
        let before = FileListing(of: root)
        let problems: @Sendable () -> [String] = { [root] in
            before.changes(to: FileListing(of: root)).filter { name in
                !allowed.contains { name == $0 || name.hasPrefix($0 + "/") || name.hasPrefix($0 + "-") }
            }.map { "\(Self.place($0)) was written" }
                + ObservedWrites.paths.map { "\($0) was written, outside of the sandbox" }
        }
        ObservedWrites.clear()
        if let reason = ObservedWrites.failure {
            warn("writes outside of the sandbox and of \(Surroundings.names) were not observed: \(reason)")
        }
        earlyProblems.withLock { $0 = problems }
        await host.useEverything()
        await host.unload()
        for problem in problems() { fail(problem) }
    }

    /// Returns the place of a file as its author knows it.
    private nonisolated static func place(_ name: String) -> String {
        let parts = name.split(separator: "/", maxSplits: 1).map(String.init)
        let rest = parts.count > 1 ? parts[1] : ""
        return switch parts.first {
        case "home": "~/\(rest) in the home folder"
        case "temporary": "\(rest) in the folder for temporary files of the system (TMPDIR)"
        case "work": "\(rest) in the working folder"
        default: "\(rest) in the sandbox"
        }
    }
}

/// The folders outside of the container that careless code writes to: home, temporary and working folder.
///
/// A process that runs a check gets its own, so that nothing else writes there.
struct Surroundings {
    /// The folders as their author knows them.
    static let names = "the home, temporary and working folders"

    let root: FilePath

    /// Creates the folders, and makes them those of this process.
    ///
    /// - Throws: the error of creating a folder.
    func enter() throws {
        let folders = ["home", "temporary", "work"].map { root.appending($0).string }
        for folder in folders {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        setenv("HOME", folders[0], 1)
        setenv("TMPDIR", folders[1], 1)
        for name in ["XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"] { unsetenv(name) }
        _ = chdir(folders[2])
    }
}

/// The files and folders below a folder, with all that a write changes.
package struct FileListing: Equatable {
    /// The mode of each, and the size, the time and the number of a file.
    private var states: [String: [Int]] = [:]

    /// Reads a folder. Files that vanish meanwhile are left out.
    ///
    /// - Parameter isListed: whether files and folders of a name are listed.
    package init(of folder: FilePath, where isListed: (String) -> Bool = { _ in true }) {
        add("", below: folder, isListed)
    }

    private mutating func add(_ place: String, below folder: FilePath, _ isListed: (String) -> Bool) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(folder)/\(place)")) ?? []
        for name in names.filter(isListed).map({ place + $0 }) {
            var status = stat()
            guard lstat("\(folder)/\(name)", &status) == 0 else { continue }
            // The time of a folder changes with its entries, which are listed themselves.
            let isFolder = status.st_mode & S_IFMT == S_IFDIR
            let content = [Int(status.st_size), status.st_mtim.tv_sec, status.st_mtim.tv_nsec, Int(status.st_ino)]
            states[name] = [Int(status.st_mode)] + (isFolder ? [] : content)
            if isFolder { add(name + "/", below: folder, isListed) }
        }
    }

    /// Returns the names that were added, changed or removed, sorted.
    func changes(to other: FileListing) -> [String] {
        Set(states.keys).union(other.states.keys).filter { states[$0] != other.states[$0] }.sorted()
    }
}

/// The files that code of this process has created, changed or removed anywhere, or tried to.
///
/// The kernel asks a thread of this process about each system call that can do that, whatever library makes it and whether the file remains
/// or not. See decision record 0233.
///
/// ```swift
/// ObservedWrites.begin(besides: folder)
/// // Run the plugin.
/// for path in ObservedWrites.paths { print(path) }
/// ```
public enum ObservedWrites {
    /// The file in memory with the paths, and the place in it from which they count.
    private static let noted = Mutex<(file: Int32, start: Int)>((-1, 0))
    private static let failed = Mutex<String?>("it was not begun")

    /// Begins to observe this process, which must have only one thread.
    ///
    /// - Parameter folder: the folder of the validation, whose files are compared instead.
    public static func begin(besides folder: FilePath) {
        let file = observed_writes_observe(FileSystem.resolved(folder).string)
        let reason = file >= 0 ? nil : FileSystem.message()
        noted.withLock { $0.file = file }
        failed.withLock { $0 = reason }
    }

    /// The reason why nothing is observed, such as a kernel that cannot do that; `nil` if all is well.
    static var failure: String? { failed.withLock { $0 } }

    /// Forgets what was observed.
    static func clear() { noted.withLock { $0.start = Int(lseek($0.file, 0, SEEK_END)) } }

    /// The paths of the files, in order, without those that are no files of a disk.
    static var paths: [String] {
        let (file, start) = noted.withLock { $0 }
        var bytes = [UInt8](repeating: 0, count: max(0, Int(lseek(file, 0, SEEK_END)) - start))
        let count = max(0, pread(file, &bytes, bytes.count, start))
        var seen: Set<String> = []
        return bytes.prefix(count).split(separator: 0).map { CheckProgress.plain(String(decoding: $0, as: UTF8.self)) }
            .filter { isFile($0) && seen.insert($0).inserted }
    }

    /// Returns whether a path is neither a device nor a setting of a process.
    private static func isFile(_ path: String) -> Bool {
        guard path.hasPrefix("/dev/") else { return !path.hasPrefix("/proc/") }
        return path.hasPrefix("/dev/shm/")
    }
}
