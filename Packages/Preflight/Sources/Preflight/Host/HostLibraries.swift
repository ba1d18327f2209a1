import HostSystem
import PluginCore
import Processes
import Synchronization

/// The libraries that a host offers to its plugins: the contract's libraries, the Swift runtime, and the system libraries they need.
///
/// Other libraries of the host are private, and plugins may not depend on them.
struct HostLibraries {
    /// The libraries that hosts and plugins share by design.
    private static let contract = [
        promised, "libPageLayouts.so", "libPluginDatabase.so", "libPluginExtension.so", "libSQLite.so",
    ]
    /// The library that every process which loads plugins or extensions has loaded, with those that it needs.
    static let promised = "libPluginCore.so"
    private static let swiftCore = "libswiftCore.so"

    /// The names that hosts of this process offer in addition, and the result, computed on first use.
    private static let shared = Mutex<(names: [String], libraries: HostLibraries?)>(([], nil))

    /// The libraries of this process.
    static var current: HostLibraries {
        shared.withLock { shared in
            if let libraries = shared.libraries { return libraries }
            let libraries = HostLibraries(sharing: contract + shared.names)
            shared.libraries = libraries
            return libraries
        }
    }

    /// Offers further libraries, which the program is linked with, by their file names.
    static func offer(_ names: [String]) {
        shared.withLock { shared in
            let new = names.filter { !shared.names.contains($0) }
            guard !new.isEmpty else { return }
            shared = (shared.names + new, nil)
        }
    }

    /// The offered libraries that are loaded, in the loader's order.
    ///
    /// The loader finds their names for each plugin, and also those in the program and in the host's other libraries. A plugin may only
    /// use names of those that it is linked with, since other processes have not loaded them.
    let scope: [HostLibrary]
    /// The paths of the offered libraries, by name.
    private let offered: [String: FilePath]
    private let loaded: [String: HostLibrary]
    /// The folder of the Swift runtime; its libraries are offered even if they aren't loaded yet.
    private let runtimeFolder: FilePath?
    /// The loaded libraries that couldn't be read, so that their symbols are unknown.
    let unread: [FilePath]

    private init(sharing contract: [String]) {
        let paths = LoadedObjects.paths()
        // Only libraries that the program needs are the host's: others belong to plugins that are loaded already.
        let byName = Dictionary(paths.dropFirst().map { ($0.lastComponent, $0) }) { first, _ in first }
        var unread: [FilePath] = []
        // A loaded library could be read once, so a failure is likely to be temporary.
        let read = { (path: FilePath) in
            let library = (try? HostLibrary(path, isLoaded: true)) ?? (try? HostLibrary(path, isLoaded: true))
            if library == nil { unread.append(path) }
            return library
        }
        let program = paths.first.flatMap(read)
        var loaded: [String: HostLibrary] = [:]
        let linked = Self.closure(of: program?.library.dynamic.needed ?? []) { name in
            loaded[name] = byName[name].flatMap(read)
            return loaded[name]
        }
        self.loaded = loaded
        self.unread = unread
        runtimeFolder = loaded[Self.swiftCore]?.path.parent
        let isRuntime = { [runtimeFolder] (path: FilePath) in path.parent == runtimeFolder }
        let roots = loaded.filter { isRuntime($0.value.path) || $0.key == Self.promised }.map(\.key)
        var offered: [String: FilePath] = [:]
        for library in Self.closure(of: roots.sorted(), { loaded[$0] }) {
            offered[library.path.lastComponent] = library.path
        }
        for name in contract { offered[name] = loaded[name]?.path }
        // Before release 2.34, glibc was split into several files, and libraries built there need all of them.
        let filesOfLibc = LoadedObjects.filesOfLibc
        let folder = filesOfLibc.lazy.compactMap { loaded[$0]?.path.parent }.first
        for name in filesOfLibc where offered[name] == nil {
            offered[name] = loaded[name]?.path ?? folder?.appending(name)
        }
        self.offered = offered
        scope = linked.filter { offered[$0.path.lastComponent] != nil }
    }

    /// Returns the library that a plugin needs by a name.
    ///
    /// - Returns: `nil` when the host doesn't offer it.
    /// - Throws: ``AtriumError`` with code `inputOutput` and the path as subject when it can't be read.
    func library(named name: String) throws(AtriumError) -> HostLibrary? {
        if let library = loaded[name] { return offered[name] == nil ? nil : library }
        if let path = offered[name] { return try HostLibrary(path, isLoaded: false) }
        guard let runtimeFolder, !name.utf8.contains(UInt8(ascii: "/")) else { return nil }
        return try HostLibrary(runtimeFolder.appending(name), isLoaded: false)
    }

    /// The file names of all libraries that a plugin may need.
    var names: [String] {
        let runtime = (runtimeFolder.flatMap { try? FileSystem.names(in: $0) } ?? []).filter { $0.hasSuffix(".so") }
        return Set(offered.keys).union(runtime).sorted()
    }

    /// Returns some libraries and all that they need, breadth first, which is the loader's order.
    static func closure(of names: [String], _ find: (String) -> HostLibrary?) -> [HostLibrary] {
        var (seen, waiting, found) = (Set(names), names[...], [HostLibrary]())
        while let library = waiting.popFirst().map(find) {
            guard let library else { continue }
            found.append(library)
            waiting += library.library.dynamic.needed.filter { seen.insert($0).inserted }
        }
        return found
    }
}

/// A library of the host's process, read from its file.
struct HostLibrary {
    let path: FilePath
    let library: ELFLibrary
    /// A Boolean value that indicates whether the process has loaded it.
    let isLoaded: Bool

    /// Reads a library; fails when this process could not load one.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` when it can't be read, which says nothing about the library.
    init?(_ path: FilePath, isLoaded: Bool) throws(AtriumError) {
        let file: MappedFile
        do throws(MappedFile.Failure) {
            file = try MappedFile(path, isLinkFollowed: true)
        } catch {
            guard case .system(let reason) = error else { return nil }
            throw AtriumError(.inputOutput, path.string, reason: "readingFailed", ["message": "\(reason)"])
        }
        self.init(file, path, isLoaded: isLoaded)
    }

    /// Parses a library in memory, whose file would have the given path.
    init?(_ file: MappedFile, _ path: FilePath, isLoaded: Bool) {
        guard let library = try? ELFLibrary(ByteView(file)), library.header.machine == .host else { return nil }
        (self.path, self.library, self.isLoaded) = (path, library, isLoaded)
    }
}
