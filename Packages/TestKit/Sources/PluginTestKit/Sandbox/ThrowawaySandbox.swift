public import PluginCore
import PluginRuntime
public import Registry
internal import Signing
import Trust

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
