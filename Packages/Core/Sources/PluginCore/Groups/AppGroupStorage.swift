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

    /// Returns the path of a database, whose folder exists.
    func database(named name: String) throws -> FilePath
}
