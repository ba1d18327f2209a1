import Contract
import Foundation

/// The installed versions, and which of them are active.
///
///     Versions/shop/1.0.0/{manifest.json,plugin.so}   never changed once it is here
///     Staging/                                        what is being installed
///     active.json                                     the state of each bundle: the one file that decides
///     Running/                                        the files of the sentinel
///     lock                                            locked by the process that changes something
///
/// Everything is written and synced aside, and renamed into place. A change exists when active.json has been replaced, so a process that
/// is killed at any moment leaves the state before or after it, whole.
struct Store {
    private let root: URL

    init(at root: URL) throws {
        self.root = root
        for folder in ["Versions", "Staging", "Running"] {
            try FileManager.default.createDirectory(at: root.appending(path: folder), withIntermediateDirectories: true)
        }
    }

    var sentinelFolder: URL { root.appending(path: "Running") }

    /// The versions of one bundle: the chosen one, and those that may not be chosen again.
    private struct BundleState: Codable {
        var active: String?
        var previous: String?
        /// All that was ever installed. A process may still have the code of a version whose files are gone, and `dlopen` would return
        /// this code for the same path, so no version is used twice.
        var installed: [String] = []
        /// Versions that crashed a host.
        var blocked: [String] = []
    }

    /// Returns the active version of each bundle. A running host reads them for each request, so it sees what others change.
    func activeBundles() throws -> [InstalledBundle] {
        try states().sorted { $0.key < $1.key }.compactMap { identifier, state in
            guard let version = state.active else { return nil }
            do {
                return try InstalledBundle(at: folder(of: identifier, version))
            } catch {
                // The others can be used.
                log("\(error)")
                return nil
            }
        }
    }

    /// Adds a version, and makes it the active one of its bundle.
    ///
    /// - Throws: ``Failure`` if the manifest is damaged, the version was installed before, or another bundle opens the same addresses.
    func install(_ manifest: URL, _ library: URL) throws -> BundleName {
        let files = ["manifest.json": try contents(of: manifest), "plugin.so": try contents(of: library)]
        let manifest = try Manifest(files["manifest.json"] ?? Data(), at: manifest)
        let name = manifest.name
        return try change(name.identifier) { state in
            guard !state.blocked.contains(name.version) else {
                throw Failure("\(name) has crashed this host, so it is not installed again; install another version")
            }
            guard !state.installed.contains(name.version) else {
                throw Failure("\(name) was installed before; give other content another version")
            }
            try checkConflicts(of: manifest)
            let staged = root.appending(path: "Staging/\(name.identifier)")
            try FileManager.default.createDirectory(at: staged, withIntermediateDirectories: false)
            for (name, content) in files {
                try content.write(to: staged.appending(path: name))
                try sync(staged.appending(path: name))
            }
            try sync(staged)
            let place = folder(of: name.identifier, name.version)
            let versions = place.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: versions, withIntermediateDirectories: true)
            try check(rename(staged.path, place.path), place)
            for folder in [versions, versions.deletingLastPathComponent()] { try sync(folder) }
            state.previous = state.active
            state.active = name.version
            state.installed.append(name.version)
            return name
        }
    }

    /// Goes back to the version that was active before, which can be undone in the same way.
    func rollBack(_ identifier: String) throws -> BundleName {
        try change(identifier) { state in
            guard let previous = state.previous else { throw Failure("\(identifier) has no version to go back to") }
            try checkConflicts(of: InstalledBundle(at: folder(of: identifier, previous)).manifest)
            (state.previous, state.active) = (state.active, previous)
            return BundleName(identifier: identifier, version: previous)
        }
    }

    /// Takes a version that crashed a host out of use for good.
    ///
    /// - Returns: The version that is active now, or nil without one.
    func quarantine(_ name: BundleName) throws -> BundleName? {
        try change(name.identifier) { state in
            state.blocked = Set(state.blocked + [name.version]).sorted()
            if state.active == name.version { state.active = nil }
            let previous = state.active == nil ? state.previous : nil
            if state.active == nil || state.previous == name.version { state.previous = nil }
            do {
                if let previous {
                    try checkConflicts(of: InstalledBundle(at: folder(of: name.identifier, previous)).manifest)
                    state.active = previous
                }
            } catch {
                log("\(error)")
            }
            return state.active.map { BundleName(identifier: name.identifier, version: $0) }
        }
    }

    /// Refuses a bundle that would take addresses or the target of another one, because nobody could say which of them is meant.
    private func checkConflicts(of manifest: Manifest) throws {
        let keys = Set(manifest.routes.map { Pattern($0).key })
        for other in try activeBundles() where other.name.identifier != manifest.identifier {
            if let route = other.manifest.routes.first(where: { keys.contains(Pattern($0).key) }) {
                throw Failure(
                    "\(other.name) opens the addresses of \"\(route)\", too; \(manifest.name) must have other ones")
            }
            if let target = manifest.target, target == other.manifest.target {
                throw Failure("\(other.name) has the target \"\(target)\", too; \(manifest.name) must have another one")
            }
        }
    }

    /// Changes the state of a bundle while no other process changes anything.
    private func change<Result>(_ identifier: String, _ body: (inout BundleState) throws -> Result) throws -> Result {
        let lock = try lockedFile(root.appending(path: "lock"))
        defer { close(lock) }
        var states = try self.states()
        var state = states[identifier] ?? BundleState()
        try removeLeftovers(of: identifier, state)
        let result = try body(&state)
        states[identifier] = state
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        let new = root.appending(path: "active.json.new")
        try encoder.encode(states).write(to: new)
        try sync(new)
        try check(rename(new.path, root.appending(path: "active.json").path), new)
        try sync(root)
        return result
    }

    /// Removes what an interrupted change has left, and the versions of a bundle that nothing leads back to.
    private func removeLeftovers(of identifier: String, _ state: BundleState) throws {
        let manager = FileManager.default
        for name in try manager.contentsOfDirectory(atPath: root.appending(path: "Staging").path) {
            try manager.removeItem(at: root.appending(path: "Staging/\(name)"))
        }
        let versions = root.appending(path: "Versions/\(identifier)")
        guard manager.fileExists(atPath: versions.path) else { return }
        for version in try manager.contentsOfDirectory(atPath: versions.path)
        where ![state.active, state.previous].contains(version) {
            try manager.removeItem(at: versions.appending(path: version))
        }
    }

    private func states() throws -> [String: BundleState] {
        let file = root.appending(path: "active.json")
        do {
            return try JSONDecoder().decode([String: BundleState].self, from: Data(contentsOf: file))
        } catch CocoaError.fileReadNoSuchFile {
            return [:]
        } catch {
            throw Failure("\(file.path) cannot be read: \(error)")
        }
    }

    private func folder(of identifier: String, _ version: String) -> URL {
        root.appending(path: "Versions/\(identifier)/\(version)")
    }
}

/// An installed version. The host knows all of this without loading any code.
struct InstalledBundle {
    let manifest: Manifest
    let library: URL

    init(at folder: URL) throws {
        let file = folder.appending(path: "manifest.json")
        manifest = try Manifest(contents(of: file), at: file)
        library = folder.appending(path: "plugin.so")
    }

    var name: BundleName { manifest.name }
}

/// The content of a manifest.json.
struct Manifest: Codable {
    let identifier: String
    let version: String
    /// The patterns of the addresses that the bundle opens.
    let routes: [String]
    /// The name by which others call its actions.
    let target: String?

    init(_ data: Data, at file: URL) throws {
        do {
            self = try JSONDecoder().decode(Self.self, from: data)
        } catch {
            throw Failure("\(file.path) must be JSON with an identifier, a version and routes: \(error)")
        }
        // Both are names of folders.
        for text in [identifier, version] where text.wholeMatch(of: /[A-Za-z0-9][A-Za-z0-9.-]{0,99}/) == nil {
            throw Failure("\(file.path): \"\(text)\" must consist of at most 100 letters, digits, dots and hyphens")
        }
    }

    var name: BundleName { BundleName(identifier: identifier, version: version) }
}

/// One version of a bundle, as "shop 1.0.0".
struct BundleName: Hashable, CustomStringConvertible {
    let identifier: String
    let version: String

    init(identifier: String, version: String) {
        self.identifier = identifier
        self.version = version
    }

    /// Reads a description, or returns nil for any other text.
    init?(_ text: String) {
        let parts = text.split(separator: " ")
        guard parts.count == 2 else { return nil }
        self.init(identifier: String(parts[0]), version: String(parts[1]))
    }

    var description: String { "\(identifier) \(version)" }
}

/// Opens a file that programs which this process starts do not get.
func openFile(_ file: URL, _ flags: Int32) throws -> Int32 {
    let descriptor = open(file.path, flags | O_CLOEXEC, 0o644)
    try check(descriptor, file)
    return descriptor
}

/// Opens a file, and waits until no other process has it locked. The lock ends when the file is closed, or the process ends.
func lockedFile(_ file: URL) throws -> Int32 {
    let descriptor = try openFile(file, O_RDWR | O_CREAT)
    try check(flock(descriptor, LOCK_EX), file)
    return descriptor
}

private func contents(of file: URL) throws -> Data {
    do {
        return try Data(contentsOf: file)
    } catch {
        throw Failure("\(file.path) cannot be read: \(error.localizedDescription)")
    }
}

/// Waits until a file, or the names in a folder, are on the disk.
private func sync(_ file: URL) throws {
    let descriptor = try openFile(file, O_RDONLY)
    defer { close(descriptor) }
    try check(fsync(descriptor), file)
}

/// Throws the error of a system call.
private func check(_ result: Int32, _ file: URL) throws {
    let code = errno
    guard result >= 0 else { throw Failure("\(file.path): \(String(cString: strerror(code)))") }
}

// In the product: Packages/Runtime/Sources/Registry, Packages/Runtime/Sources/PluginRuntime/Install,
// Packages/Runtime/Sources/PluginRuntime/Transactions. It adds archives, signatures and teams, an SQLite registry with a history, plans for
// several bundles in one transaction, locks of versions in use, data that goes back with the code, and updates that wait for a restart.
