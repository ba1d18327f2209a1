/// The shared container of an app group, which all bundles and extensions of a team use that declare the group.
///
/// Several processes read and change its files and defaults at the same time. A reader never sees half of a change, a process that is killed
/// leaves the version before, and of several changes none is lost. A full disk is an error, and everything stays as it was.
///
/// ```swift
/// let group = try context.appGroup("group.com.example.stocks")
/// try group.change("watch-list.txt") { bytes in
///     bytes = (bytes ?? []) + Array("ACME\n".utf8)
/// }
/// ```
public struct AppGroup: Sendable {
    /// The maximum size of a file that is read and changed as a whole, in bytes.
    public static var fileSizeLimit: Int { 64 << 20 }

    /// The name, such as group.com.example.stocks.
    public let name: String
    private let storage: any AppGroupStorage

    /// Creates a group. Hosts and tests call this; plugins get their groups from the context.
    public init(_ name: String, storage: any AppGroupStorage) {
        self.name = name
        self.storage = storage
    }

    /// The folder of the group.
    public var root: FilePath { storage.root }
    /// The folder for files that the user created and that cannot be regenerated.
    public var documents: FilePath { BundleContainer(root: root).documents }
    /// The folder for files that can be regenerated.
    public var caches: FilePath { BundleContainer(root: root).caches }
    /// The settings and other small values that the members of the group share.
    public var defaults: any DefaultsStore { storage.defaults }

    /// Returns the content of a file in ``documents``, or nil if it does not exist.
    ///
    /// - Parameter file: A name, or a relative path such as notes/today.txt.
    /// - Throws: ``AtriumError`` with code `groupFileInvalid` for a path that the group cannot have, a file that is too large, or an item that
    ///   is not a regular file; `inputOutput` or another error of the file system.
    public func read(_ file: String) throws -> [UInt8]? { try storage.read(Self.components(of: file)) }

    /// Replaces the content of a file in ``documents``, and creates the file if necessary.
    ///
    /// The new content is on the disk when the call returns.
    ///
    /// - Throws: The errors of ``change(_:_:)``.
    public func write(_ bytes: [UInt8], to file: String) throws {
        try storage.write(bytes, to: Self.components(of: file))
    }

    /// Changes a file in ``documents`` based on its current content.
    ///
    /// Nobody else changes the file while `body` runs, so it must not change the file itself, and should be fast.
    ///
    /// - Parameters:
    ///   - file: A name, or a relative path such as notes/today.txt.
    ///   - body: Receives the content, or nil if the file does not exist. Nil as the new content removes the file.
    /// - Throws: The errors of ``read(_:)``; ``AtriumError`` with code `sandboxBusy` if another change of the file does not end; and the
    ///   errors of `body`. In all cases, nothing changes.
    public func change(_ file: String, _ body: (inout [UInt8]?) throws -> Void) throws {
        try storage.change(Self.components(of: file), body)
    }

    /// Returns a sequence of the changes that are made from now on, in any process and also by this bundle.
    ///
    /// Several changes of one file in a short time can be one element. The sequence ends when the bundle is unloaded. Changes are noticed that
    /// are made with ``write(_:to:)``, ``change(_:_:)`` and ``defaults``; see the files with ``read(_:)``.
    ///
    /// ```swift
    /// for await change in try group.changes() where change == .file("watch-list.txt") {
    ///     show(try group.read("watch-list.txt"))
    /// }
    /// ```
    ///
    /// - Throws: ``AtriumError`` with code `bundleUnavailable` if the bundle was unloaded, or `inputOutput` if the system has no descriptors or
    ///   threads left.
    public func changes() throws -> AsyncStream<AppGroupChange> { try storage.changes() }

    /// Returns the place and the settings of an SQLite database that the members of the group share.
    ///
    /// The database need not exist. All processes and versions open it with the same settings; a version that needs other tables uses another
    /// name, or migrates with SQLite's `user_version`.
    ///
    /// - Parameter name: The name without an extension, which contains no slash.
    /// - Throws: ``AtriumError`` with code `groupFileInvalid` for a name that the group cannot have, or if one of the database's files is not a
    ///   regular file; `inputOutput` or another error of the file system.
    public func database(named name: String) throws -> SharedDatabase {
        let components = try Self.components(of: name)
        guard components.count == 1 else { throw Self.invalid(name) }
        return SharedDatabase(path: try storage.database(named: name))
    }

    /// The maximum number of components of a file's path.
    private static let depthLimit = 8
    /// The maximum length of a component in bytes. The file system permits 255, and temporary names are longer.
    private static let componentLimit = 200

    /// Returns the components of a file's path.
    ///
    /// - Throws: ``AtriumError`` with code `groupFileInvalid`.
    private static func components(of path: String) throws(AtriumError) -> [String] {
        let components = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        let isValid = components.allSatisfy { component in
            // A name that starts with a dot is that of this folder, its parent, or a temporary file.
            !component.isEmpty && component.utf8.count <= componentLimit && !component.utf8.starts(with: ".".utf8)
                && component.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
        }
        guard isValid, components.count <= depthLimit else { throw invalid(path) }
        return components
    }

    private static func invalid(_ path: String) -> AtriumError {
        AtriumError(
            .groupFileInvalid, path, reason: "groupFileName",
            ["depth": .integer(depthLimit), "length": .integer(componentLimit)])
    }
}

extension [AppGroup] {
    /// Returns the group with a name.
    ///
    /// - Throws: ``AtriumError`` with code `groupUndeclared` and the declared groups.
    public func declared(_ name: String) throws(AtriumError) -> AppGroup {
        if let group = first(where: { $0.name == name }) { return group }
        throw AtriumError(.groupUndeclared, name, nearest: map(\.name).sorted())
    }
}

/// A change in an app group.
public enum AppGroupChange: Hashable, Sendable {
    /// A file in the group's documents was created, changed or removed. The value is its relative path.
    case file(String)
    /// The defaults were changed.
    case defaults
}

/// The storage of an app group, which the host provides. Plugins use it through ``AppGroup``.
///
/// The group has checked each path: its components are not empty, contain no slash and no control character, and do not start with a dot.
public protocol AppGroupStorage: Sendable {
    /// The folder of the group.
    var root: FilePath { get }
    /// The defaults of the group.
    var defaults: any DefaultsStore { get }

    /// Returns the content of a file, or nil if it does not exist.
    func read(_ path: [String]) throws -> [UInt8]?

    /// Replaces the content of a file atomically.
    func write(_ bytes: [UInt8], to path: [String]) throws

    /// Changes a file exclusively and atomically. Nil stands for a file that does not exist.
    func change(_ path: [String], _ body: (inout [UInt8]?) throws -> Void) throws

    /// Returns a sequence of the changes from now on.
    func changes() throws -> AsyncStream<AppGroupChange>

    /// Ends all sequences of changes, because the bundle is unloaded. There will be no new ones.
    func endObservation()

    /// Returns the path of a database, whose folder exists.
    func database(named name: String) throws -> FilePath
}

/// The place of an SQLite database in an app group, and the settings with which several processes can use it at the same time.
///
/// The SQLite package's `Database` has the same settings by default:
///
/// ```swift
/// let database = try Database(path: group.database(named: "stocks").path.string)
/// ```
///
/// With another library, run ``settings`` on each connection.
public struct SharedDatabase: Hashable, Sendable {
    /// The path of the file. SQLite adds files beside it, whose names start with the same text.
    public let path: FilePath

    /// Creates the place of a database. Hosts and tests call this.
    public init(path: FilePath) {
        self.path = path
    }

    /// The statements to run after opening a connection.
    ///
    /// They let a connection wait for others for up to five seconds, let readers and a writer work at the same time, and keep each
    /// transaction that has been committed, even after a power cut.
    public var settings: [String] {
        ["PRAGMA busy_timeout = 5000", "PRAGMA journal_mode = WAL", "PRAGMA synchronous = FULL"]
    }
}
