import Contract
import Foundation

/// The installed versions, and which of them are active.
///
///     Versions/shop/1.0.0/{manifest.json,plugin.so}   never changed once it is here
///     Staging/                                        what is being installed
///     active.json                                     the choice for each bundle: the one file that decides
///     Running/                                        the files of the sentinel
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

    var running: URL { root.appending(path: "Running") }

    /// What is chosen for one bundle.
    private struct Choice: Codable {
        var active: String?
        var previous: String?
        /// Versions that crashed a host.
        var blocked: [String] = []
    }

    /// Returns the active version of each bundle. A running host reads them for each request, so it sees what others change.
    func bundles() throws -> [InstalledBundle] {
        try choices().sorted { $0.key < $1.key }.compactMap { identifier, choice in
            try choice.active.map { try InstalledBundle(at: folder(of: identifier, $0)) }
        }
    }

    /// Adds a version, and makes it the active one of its bundle.
    ///
    /// - Throws: ``Failure`` if the manifest is damaged, the version is installed, or it has crashed a host.
    func install(_ file: URL, _ library: URL) throws -> BundleName {
        let manifest = try Manifest(at: file)
        let name = manifest.name
        return try change(name.identifier) { choice in
            guard !choice.blocked.contains(name.version) else {
                throw Failure("\(name) has crashed this host, so it is not installed again; install another version")
            }
            guard ![choice.active, choice.previous].contains(name.version) else {
                throw Failure("\(name) is installed; give other content another version")
            }
            let staged = root.appending(path: "Staging/\(name.identifier)")
            try FileManager.default.createDirectory(at: staged, withIntermediateDirectories: false)
            for (source, copy) in [(file, "manifest.json"), (library, "plugin.so")] {
                let copy = staged.appending(path: copy)
                try FileManager.default.copyItem(at: source, to: copy)
                try sync(copy)
            }
            try sync(staged)
            let place = folder(of: name.identifier, name.version)
            try FileManager.default.createDirectory(
                at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
            try check(rename(staged.path, place.path), place)
            try sync(place.deletingLastPathComponent())
            (choice.previous, choice.active) = (choice.active, name.version)
            return name
        }
    }

    /// Goes back to the version that was active before, which can be undone in the same way.
    func rollBack(_ identifier: String) throws -> BundleName {
        try change(identifier) { choice in
            guard let previous = choice.previous else { throw Failure("\(identifier) has no version to go back to") }
            (choice.previous, choice.active) = (choice.active, previous)
            return BundleName(identifier: identifier, version: previous)
        }
    }

    /// Takes a version that crashed a host out of use for good.
    ///
    /// - Returns: The version that is active now, or nil if there is none.
    func quarantine(_ name: BundleName) throws -> BundleName? {
        try change(name.identifier) { choice in
            choice.blocked = Set(choice.blocked + [name.version]).sorted()
            if choice.active == name.version { (choice.active, choice.previous) = (choice.previous, nil) }
            if choice.previous == name.version { choice.previous = nil }
            return choice.active.map { BundleName(identifier: name.identifier, version: $0) }
        }
    }

    /// Changes the choice for a bundle while no other process changes anything.
    private func change<Result>(_ identifier: String, _ body: (inout Choice) throws -> Result) throws -> Result {
        let lock = try openFile(root.appending(path: "lock"), O_RDWR | O_CREAT)
        defer { close(lock) }
        try check(flock(lock, LOCK_EX), root)
        var choices = try choices()
        try removeLeftovers(choices)
        let result = try body(&choices[identifier, default: Choice()])
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        let new = root.appending(path: "active.json.new")
        try encoder.encode(choices).write(to: new)
        try sync(new)
        try check(rename(new.path, root.appending(path: "active.json").path), new)
        try sync(root)
        return result
    }

    /// Removes what an interrupted change has left, and versions that nothing leads back to.
    private func removeLeftovers(_ choices: [String: Choice]) throws {
        let manager = FileManager.default
        for name in try manager.contentsOfDirectory(atPath: root.appending(path: "Staging").path) {
            try manager.removeItem(at: root.appending(path: "Staging/\(name)"))
        }
        for identifier in try manager.contentsOfDirectory(atPath: root.appending(path: "Versions").path) {
            let known = [choices[identifier]?.active, choices[identifier]?.previous]
            for version in try manager.contentsOfDirectory(atPath: root.appending(path: "Versions/\(identifier)").path)
            where !known.contains(version) {
                try manager.removeItem(at: folder(of: identifier, version))
            }
        }
    }

    private func choices() throws -> [String: Choice] {
        let file = root.appending(path: "active.json")
        guard FileManager.default.fileExists(atPath: file.path) else { return [:] }
        return try JSONDecoder().decode([String: Choice].self, from: Data(contentsOf: file))
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
        manifest = try Manifest(at: folder.appending(path: "manifest.json"))
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

    init(at file: URL) throws {
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(contentsOf: file))
        } catch {
            throw Failure("\(file.path) is not a manifest: \(error)")
        }
        // Both are names of folders.
        for text in [identifier, version] where text.wholeMatch(of: /[A-Za-z0-9][A-Za-z0-9.-]*/) == nil {
            throw Failure("\(file.path): \"\(text)\" must consist of letters, digits, dots and hyphens")
        }
    }

    var name: BundleName { BundleName(identifier: identifier, version: version) }
}

/// One version of a bundle, as "shop 1.0.0".
struct BundleName: Hashable, CustomStringConvertible {
    let identifier: String
    let version: String

    init(identifier: String, version: String) {
        (self.identifier, self.version) = (identifier, version)
    }

    init?(_ text: some StringProtocol) {
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

/// Waits until a file, or the names in a folder, are on the disk.
private func sync(_ file: URL) throws {
    let descriptor = try openFile(file, O_RDONLY)
    defer { close(descriptor) }
    try check(fsync(descriptor), file)
}

/// Throws the error of a system call.
func check(_ result: Int32, _ file: URL) throws {
    guard result >= 0 else { throw Failure("\(file.path): \(String(cString: strerror(errno)))") }
}

// In the product: Packages/Runtime/Sources/Registry, Packages/Runtime/Sources/PluginRuntime/Install. It adds archives, signatures and teams, an SQLite registry
// with a history, plans for several bundles in one transaction, data that goes back with the code, and updates that wait for a restart.
