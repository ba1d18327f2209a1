internal import HostSystem
public import PluginCore

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
    public let root: FilePath
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
        let layout = AppGroupLayout(root: root)
        self.root = root
        defaults = AppGroupDefaults(layout, report: report)
        observers = AppGroupObservers(layout, isTold: isTold)
    }

    private var layout: AppGroupLayout { AppGroupLayout(root: root) }

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
