import FoundationEssentials
import Glibc
public import PluginCore
import PluginRuntime
public import Registry
import Signing
import Trust

/// A temporary folder that is removed with its last reference, or at the latest when the process exits.
///
/// It is removed even if the permissions of its content were changed.
///
/// ```swift
/// let folder = try ThrowawayFolder()
/// try folder.write("{}", to: "a/b.json")
/// ```
public final class ThrowawayFolder: Sendable {
    /// The path, by default in the system's temporary folder.
    public let path: FilePath

    /// Creates a folder.
    ///
    /// - Throws: The errors of the file system.
    public convenience init() throws {
        try self.init(in: FilePath(FileManager.default.temporaryDirectory.path))
    }

    /// Creates a folder in another place than the system's temporary folder.
    ///
    /// - Throws: The errors of the file system.
    public init(in place: FilePath) throws {
        path = place.appending("atrium-test-\(UUID().uuidString)")
        Leftovers.add(path)
        try FileManager.default.createDirectory(atPath: path.string, withIntermediateDirectories: true)
    }

    deinit {
        remove()
    }

    /// Removes the folder immediately.
    func remove() {
        Self.unlock(path)
        Leftovers.remove(path)
    }

    /// Returns the path of a name in the folder.
    public func appending(_ name: String) -> FilePath { path.appending(name) }

    /// Writes a file and creates its parent folders.
    ///
    /// - Returns: The path of the file.
    /// - Throws: The errors of the file system.
    @discardableResult
    public func write(_ bytes: some Sequence<UInt8>, to name: String) throws -> FilePath {
        let file = appending(name)
        try FileManager.default.createDirectory(atPath: file.parent.string, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(filePath: file.string))
        return file
    }

    /// Writes a text file and creates its parent folders.
    ///
    /// - Returns: The path of the file.
    /// - Throws: The errors of the file system.
    @discardableResult
    public func write(_ text: String, to name: String) throws -> FilePath {
        try write(text.utf8, to: name)
    }

    /// Returns the content of a file.
    ///
    /// - Throws: The errors of the file system.
    public func bytes(of name: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: appending(name).string)))
    }

    /// Returns whether a name exists in the folder.
    public func contains(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: appending(name).string)
    }

    /// Returns a snapshot of the content.
    ///
    /// - Throws: ``FixtureError`` for a node that cannot be read.
    public func tree() throws -> FileTree { try FileTree(of: path) }

    /// Makes a folder writable recursively, because others cannot be emptied.
    private static func unlock(_ folder: FilePath) {
        var status = stat()
        guard lstat(folder.string, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return }
        chmod(folder.string, 0o700)
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.string)) ?? [] {
            unlock(folder.appending(name))
        }
    }
}

extension FilePath {
    /// Returns the nearest folder above this file that meets a condition, or nil if there is none.
    func ancestor(where isMeant: (FilePath) -> Bool) -> FilePath? {
        sequence(first: parent) { [$0, "."].contains($0.parent) ? nil : $0.parent }.first(where: isMeant)
    }
}

/// An error of a test fixture. It indicates a mistake in the test and not in the tested code.
public struct FixtureError: Error, Sendable, CustomStringConvertible {
    /// A sentence that describes the problem.
    public let description: String

    /// Creates an error.
    public init(_ description: String) {
        self.description = description
    }
}

/// A sandbox for one test. It doesn't exist until a host creates it, and is removed with the last reference.
///
/// ```swift
/// let sandbox = try ThrowawaySandbox()
/// let before = try sandbox.tree()
/// // ... an install that is refused ...
/// #expect(before.changes(to: try sandbox.tree()) == [])
/// ```
public final class ThrowawaySandbox: Sendable {
    /// The sandbox with the paths of its parts.
    public let sandbox: Sandbox
    private let folder: ThrowawayFolder

    /// Chooses a path for the sandbox, which does not exist yet.
    ///
    /// - Throws: The errors of the file system.
    public init() throws {
        folder = try ThrowawayFolder()
        sandbox = Sandbox(root: folder.appending("sandbox"))
    }

    /// The root of the sandbox, for the command line.
    public var root: FilePath { sandbox.root }

    /// Returns a snapshot of the sandbox. Before a host has created the sandbox, it is empty and has no root.
    ///
    /// - Throws: ``FixtureError`` for a node that cannot be read.
    public func tree() throws -> FileTree { try FileTree(of: root) }

    /// Makes the hosts of this sandbox trust a team's key, in addition to the keys they were shipped with.
    ///
    /// - Parameters:
    ///   - identity: The team and its key.
    ///   - prefixes: The prefixes of the team's bundle identifiers, by default the team's name.
    /// - Throws: The errors of the file system, and ``AtriumError`` with code `trustConflict` if the trust store contradicts this.
    public func trust(_ identity: SigningIdentity, prefixes: [String]? = nil) throws {
        try TrustFile(shipped: nil, sandbox: sandbox).change { store throws(AtriumError) in
            try store.adding(
                team: identity.team, name: nil, prefixes: prefixes ?? [identity.team], key: identity.key.publicKey)
        }
    }

    /// Runs a closure with a sandbox that is removed afterward, even if there are still references to it.
    public static func with<R>(
        isolation: isolated (any Actor)? = #isolation, _ body: (ThrowawaySandbox) async throws -> R
    ) async throws -> R {
        let sandbox = try ThrowawaySandbox()
        defer { sandbox.folder.remove() }
        return try await body(sandbox)
    }
}
