import HostSystem
public import PluginCore
import Processes

/// The folder of an app group, whose files several processes read and change at the same time.
///
///     Documents/                  files; each change replaces one atomically
///     Library/Caches/
///     Library/Coordination/       the locks of files that are being changed, which exist only meanwhile
///     Library/Databases/
///     Library/defaults.json
///
/// No link in the folder is followed, because every member of the group may write there.
///
/// ```swift
/// let folder = AppGroupFolder(at: try sandbox.group(name)) { log("\($0)") }
/// let group = AppGroup(name, storage: folder)
/// ```
public final class AppGroupFolder: AppGroupStorage {
    /// The folder.
    public var root: FilePath { layout.root }
    private let layout: AppGroupLayout
    /// The settings and other small values that the members of the group share.
    public let defaults: any DefaultsStore
    private let observers: AppGroupObservers

    /// Creates the access to a group's folder.
    ///
    /// - Parameter report: called for damaged defaults that were renamed.
    public convenience init(at root: FilePath, report: @escaping @Sendable (AtriumError) -> Void) {
        self.init(at: root, isTold: true, report: report)
    }

    /// Creates the access to a group's folder.
    ///
    /// - Parameter isTold: whether the kernel reports changes, if it can.
    package init(at root: FilePath, isTold: Bool, report: @escaping @Sendable (AtriumError) -> Void) {
        layout = AppGroupLayout(root: root)
        defaults = DefaultsFile(layout, report: report)
        observers = AppGroupObservers(layout, isTold: isTold)
    }

    /// Returns the content of a file, or nil if it does not exist.
    ///
    /// - Throws: ``AtriumError`` with code `groupFileInvalid` for a link, a folder or a file that is too large; `inputOutput` or
    ///   `sandboxUnwritable` when it can't be read.
    public func read(_ path: [String]) throws -> [UInt8]? { try layout.content(of: path) }

    /// Replaces the content of a file.
    ///
    /// - Throws: as ``change(_:_:)``.
    public func write(_ bytes: [UInt8], to path: [String]) throws {
        try layout.whileLocked(path) { try layout.replace(path, with: bytes) }
    }

    /// Changes a file, and doesn't write it if its content stays the same.
    ///
    /// - Throws: as ``read(_:)``; ``AtriumError`` with code `sandboxBusy`, and the errors of `body`. The file is unchanged then.
    public func change(_ path: [String], _ body: (inout [UInt8]?) throws -> Void) throws {
        try layout.whileLocked(path) {
            let before = try layout.content(of: path)
            var after = before
            try body(&after)
            if after == before { return }
            if let after { try layout.replace(path, with: after) } else { try layout.remove(path) }
        }
    }

    /// Returns a sequence of the changes from now on.
    ///
    /// - Throws: ``AtriumError`` with code `bundleUnavailable` after ``endObservation()``, or `inputOutput`.
    public func changes() throws -> AsyncStream<AppGroupChange> { try observers.add() }

    /// Ends all sequences of changes, because the bundle is unloaded. There will be no new ones.
    public func endObservation() { observers.end() }

    /// Returns the path of a database, whose folder exists.
    ///
    /// - Throws: ``AtriumError`` with code `groupFileInvalid` if one of its files is not a regular file, `inputOutput` or
    ///   `sandboxUnwritable`.
    public func database(named name: String) throws -> FilePath { try layout.database(named: name) }
}

extension AppGroupFolder: CustomReflectable {
    /// An empty mirror, because plugins have the folder, and its observers and closures belong to the host.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The items in the folder of an app group. None of the functions follows a link.
struct AppGroupLayout {
    /// The number of levels of folders in the documents, the documents themselves included.
    private static let depth = 8

    let root: FilePath

    /// The folder in which a file appears and disappears with each change.
    var coordination: FilePath { root.appending("Library/Coordination") }

    // MARK: Files

    /// Returns the content of a file, or nil if it does not exist.
    func content(of path: [String]) throws(AtriumError) -> [UInt8]? {
        guard let folder = try folder(of: path), let name = path.last else { return nil }
        switch try folder.contents(of: EntryName(name), limit: AppGroup.fileSizeLimit) {
        case .file(let bytes, _): return bytes
        case .nothing: return nil
        case .other:
            throw invalid(path, ErrorReason("notFileWithinLimit", ["limit": .integer(AppGroup.fileSizeLimit)]))
        }
    }

    /// Replaces a file whose lock the caller has.
    func replace(_ path: [String], with bytes: [UInt8]) throws(AtriumError) {
        guard bytes.count <= AppGroup.fileSizeLimit else {
            throw invalid(
                path,
                ErrorReason(
                    "fileFull", ["size": .integer(bytes.count), "limit": .integer(AppGroup.fileSizeLimit)]))
        }
        var folder = try existing()
        for name in ["Documents"] + path.dropLast() { folder = try folder.making(EntryName(name)) }
        if let name = path.last { try folder.replace(EntryName(name), with: bytes) }
    }

    /// Removes a file whose lock the caller has.
    func remove(_ path: [String]) throws(AtriumError) {
        guard let folder = try folder(of: path), let name = path.last else { return }
        try folder.remove(name)
        try folder.sync()
    }

    /// Opens the folder of a file, or returns nil if it does not exist.
    private func folder(of path: [String]) throws(AtriumError) -> OpenFolder? {
        guard var folder = try OpenFolder.open(root) else { return nil }
        for name in ["Documents"] + path.dropLast() {
            guard let next = try folder.opened(EntryName(name)) else {
                // It does not exist, or it is not a folder.
                if try folder.item(EntryName(name)) == nil { return nil }
                throw invalid(path, ErrorReason("notFolder", ["folder": .text(name)]))
            }
            folder = next
        }
        return folder
    }

    private func existing() throws(AtriumError) -> OpenFolder {
        if let folder = try OpenFolder.open(root) { return folder }
        throw AtriumError(.inputOutput, root, reason: "groupErased")
    }

    private func invalid(_ path: [String], _ reason: ErrorReason) -> AtriumError {
        AtriumError(.groupFileInvalid, path.joined(separator: "/"), reason: reason)
    }

    // MARK: Library

    /// Runs a closure while no other process changes a file.
    ///
    /// - Throws: ``AtriumError`` with code `sandboxBusy`, `inputOutput` or `sandboxUnwritable`, and the errors of `body`.
    func whileLocked<R>(_ path: [String], _ body: () throws -> R) throws -> R {
        let coordination = try library().making(EntryName("Coordination"))
        return try coordination.whileLocked(by: Self.lock(of: path), body)
    }

    /// Opens the folder of everything but the documents, and creates it if it does not exist.
    func library() throws(AtriumError) -> OpenFolder { try existing().making(EntryName("Library")) }

    /// Returns the path of a database, whose folder exists.
    func database(named name: String) throws(AtriumError) -> FilePath {
        let folder = try library().making(EntryName("Databases"))
        for suffix in ["", "-wal", "-shm", "-journal"] {
            let file = "\(name).sqlite\(suffix)"
            switch try folder.item(EntryName(file)) {
            case .file, nil: break
            default: throw AtriumError(.groupFileInvalid, file, reason: "notRegularFile")
            }
        }
        return folder.path.appending("\(name).sqlite")
    }

    /// Returns the name of a file's lock: the 64-bit FNV-1a hash of its path, because a path can be longer than a name.
    private static func lock(of path: [String]) -> EntryName {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in path.joined(separator: "/").utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return EntryName(String(hash, radix: 16))
    }

    // MARK: Changes

    /// Returns the stamps of everything whose changes are observed.
    func stamps() throws(AtriumError) -> [AppGroupChange: FileStamp] {
        var stamps: [AppGroupChange: FileStamp] = [:]
        guard let group = try OpenFolder.open(root) else { return stamps }
        if let documents = try group.opened(EntryName("Documents")) {
            for (path, stamp) in try documents.stamps(depth: Self.depth) { stamps[.file(path)] = stamp }
        }
        if let library = try group.opened(EntryName("Library")) {
            stamps[.defaults] = try library.stamp(of: EntryName("defaults.json"))
        }
        return stamps
    }
}

// The stamps of files, by which changes are noticed.
extension OpenFolder {
    /// Returns the stamps of the regular files in this folder and its subfolders, by relative path, without those whose names start with a
    /// dot.
    ///
    /// - Parameter depth: the number of levels of folders.
    fileprivate func stamps(depth: Int) throws(AtriumError) -> [String: FileStamp] {
        var stamps: [String: FileStamp] = [:]
        for name in try names() {
            guard let text = name.text, !text.utf8.starts(with: ".".utf8) else { continue }
            switch try item(name) {
            case .file:
                if let stamp = try stamp(of: name) { stamps[text] = stamp }
            case .folder where depth > 1:
                guard let folder = try opened(name) else { continue }
                for (path, stamp) in try folder.stamps(depth: depth - 1) { stamps["\(text)/\(path)"] = stamp }
            case .folder, .link, .other, nil: break
            }
        }
        return stamps
    }
}
