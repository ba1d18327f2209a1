internal import CSystem
import PluginCore
import Synchronization

/// The libraries that a host offers to its plugins: the contract's, Swift's runtime, and the system libraries that these
/// stand on. What else the host was linked with is its own business, and no plugin may count on it.
struct HostLibraries: Sendable {
    /// The libraries that host and plugins share by design.
    private static let contract = ["libPluginCore.so", "libSQLite.so"]
    private static let swiftCore = "libswiftCore.so"

    /// What hosts of this process offer beyond the contract, and all that follows from it once it was asked for.
    private static let shared = Mutex<(names: [String], libraries: HostLibraries?)>(([], nil))

    /// Those of this process.
    static var current: HostLibraries {
        shared.withLock { shared in
            if let libraries = shared.libraries { return libraries }
            let libraries = HostLibraries(sharing: contract + shared.names)
            shared.libraries = libraries
            return libraries
        }
    }

    /// Offers libraries to plugins that the program is linked with, by their file names.
    static func offer(_ names: [String]) {
        shared.withLock { shared in
            let new = names.filter { !shared.names.contains($0) }
            guard !new.isEmpty else { return }
            shared = (shared.names + new, nil)
        }
    }

    /// All that the program was linked with, itself first: where the loader looks for a name before it looks anywhere else.
    let scope: [HostLibrary]
    /// What plugins may need, by the name they need it by.
    private let offered: [String: FilePath]
    private let loaded: [String: HostLibrary]
    /// Where Swift's runtime lies; what this process has not loaded of it is offered too.
    private let runtimeFolder: FilePath?
    /// What is loaded and could not be read all the same: what plugins lack then may be there.
    let unread: [FilePath]

    private init(sharing contract: [String]) {
        let paths = LoadedObjects.paths()
        // Plugins that were opened in the meantime are not the host's: only what the program needs counts.
        let byName = Dictionary(paths.dropFirst().map { ($0.lastComponent, $0) }) { first, _ in first }
        var unread: [FilePath] = []
        // What is loaded was read once, and so what cannot be read may be read the next time.
        let read = { (path: FilePath) in
            let library = (try? HostLibrary(path, isLoaded: true)) ?? (try? HostLibrary(path, isLoaded: true))
            if library == nil { unread.append(path) }
            return library
        }
        let program = paths.first.flatMap(read)
        var loaded: [String: HostLibrary] = [:]
        scope =
            [program].compactMap { $0 }
            + Self.closure(of: program?.library.dynamic.needed ?? []) { name in
                byName[name].flatMap(read).map { library in
                    loaded[name] = library
                    return library
                }
            }
        self.loaded = loaded
        self.unread = unread
        runtimeFolder = loaded[Self.swiftCore]?.path.parent
        let isRuntime = { [runtimeFolder] (path: FilePath) in path.parent == runtimeFolder }
        let roots = loaded.filter { isRuntime($0.value.path) || $0.key == contract[0] }.map(\.key)
        var offered: [String: FilePath] = [:]
        for library in Self.closure(of: roots.sorted(), { loaded[$0] }) {
            offered[library.path.lastComponent] = library.path
        }
        for name in contract { offered[name] = loaded[name]?.path }
        // Releases of glibc before 2.34 had in several files what is one now; libraries that were built there name them all.
        let filesOfLibc = (0...).lazy.map(csystem_libc_file).prefix { $0 != nil }.compactMap {
            $0.map(String.init(cString:))
        }
        let folder = filesOfLibc.lazy.compactMap { loaded[$0]?.path.parent }.first
        for name in filesOfLibc where offered[name] == nil {
            offered[name] = loaded[name]?.path ?? folder?.appending(name)
        }
        self.offered = offered
    }

    /// The library of a name that a plugin may need; `nil` when the host has none for it.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` when it can't be read, its path as subject.
    func library(named name: String) throws(AtriumError) -> HostLibrary? {
        if let library = loaded[name] { return offered[name] == nil ? nil : library }
        if let path = offered[name] { return try HostLibrary(path, isLoaded: false) }
        guard let runtimeFolder, !name.utf8.contains(UInt8(ascii: "/")) else { return nil }
        return try HostLibrary(runtimeFolder.appending(name), isLoaded: false)
    }

    /// The libraries of some names and all that they need, nearest first, as the loader orders them.
    static func closure(of names: [String], _ find: (String) -> HostLibrary?) -> [HostLibrary] {
        var (seen, waiting, found) = (Set(names), names, [HostLibrary]())
        var next = 0
        while next < waiting.count {
            if let library = find(waiting[next]) {
                found.append(library)
                for name in library.library.dynamic.needed where seen.insert(name).inserted { waiting.append(name) }
            }
            next += 1
        }
        return found
    }
}
