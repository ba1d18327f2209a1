import FoundationEssentials
import PluginCore

import Glibc

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
        for name in ["home", "temporary", "work"] {
            try FileManager.default.createDirectory(
                atPath: root.appending(name).string, withIntermediateDirectories: true)
        }
        setenv("HOME", root.appending("home").string, 1)
        setenv("TMPDIR", root.appending("temporary").string, 1)
        for name in ["XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"] { unsetenv(name) }
        _ = chdir(root.appending("work").string)
    }
}

/// The files and folders below a folder, with all that a write changes.
struct FileListing {
    private struct State: Equatable {
        let size: Int
        let mode: UInt32
        let seconds: Int
        let nanoseconds: Int
    }

    private let states: [String: State]

    /// Reads a folder. Files that vanish meanwhile are left out.
    init(of folder: FilePath) {
        var states: [String: State] = [:]
        for name in (try? FileManager.default.subpathsOfDirectory(atPath: folder.string)) ?? [] {
            var status = stat()
            guard lstat(folder.appending(name).string, &status) == 0 else { continue }
            // The time of a folder changes with its entries, which are listed themselves.
            let isFolder = status.st_mode & S_IFMT == S_IFDIR
            let time = status.st_mtim
            states[name] = State(
                size: isFolder ? 0 : Int(status.st_size), mode: UInt32(status.st_mode),
                seconds: isFolder ? 0 : time.tv_sec, nanoseconds: isFolder ? 0 : time.tv_nsec)
        }
        self.states = states
    }

    /// Returns the names that were added, changed or removed, sorted.
    func changes(to other: FileListing) -> [String] {
        Set(states.keys).union(other.states.keys).filter { states[$0] != other.states[$0] }.sorted()
    }
}
