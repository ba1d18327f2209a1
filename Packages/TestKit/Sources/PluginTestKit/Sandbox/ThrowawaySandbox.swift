public import PluginCore
public import PluginRuntime
internal import Signing

/// A sandbox for one test: a place where nothing is before a host makes it, and nothing after the last reference has gone.
///
/// ```swift
/// let sandbox = try ThrowawaySandbox()
/// let before = try sandbox.tree()
/// // ... an install that is refused ...
/// #expect(before.changes(to: try sandbox.tree()) == [])
/// ```
public final class ThrowawaySandbox: Sendable {
    /// The sandbox, with the paths of all that belongs into one.
    public let sandbox: Sandbox
    private let folder: ThrowawayFolder

    /// Chooses a place; the sandbox itself is not there yet.
    ///
    /// - Throws: what the file system throws.
    public init() throws {
        folder = try ThrowawayFolder()
        sandbox = Sandbox(root: folder.appending("sandbox"))
    }

    /// The sandbox's root, for `--sandbox`.
    public var root: FilePath { sandbox.root }

    /// What is in it now: nothing, not even a root, before a host has made it.
    ///
    /// - Throws: ``FixtureError`` for what cannot be read.
    public func tree() throws -> FileTree { try FileTree(of: root) }

    /// Makes hosts of this sandbox trust a team's key, beside those that they were shipped with.
    ///
    /// - Parameter prefixes: what the team's bundles may be named; by default as the team is.
    /// - Throws: what the file system throws, and ``AtriumError`` with code `trustConflict` when another team has that already.
    public func trust(_ identity: SigningIdentity, prefixes: [String]? = nil) throws {
        try TrustFile(shipped: nil, sandbox: sandbox).change { store throws(AtriumError) in
            try store.adding(
                team: identity.team, name: nil, prefixes: prefixes ?? [identity.team], key: identity.key.publicKey)
        }
    }

    /// Runs `body` with a sandbox that is gone when this returns, even if `body` has kept a reference to it.
    public static func with<R>(
        isolation: isolated (any Actor)? = #isolation, _ body: (ThrowawaySandbox) async throws -> R
    ) async throws -> R {
        let sandbox = try ThrowawaySandbox()
        defer { sandbox.folder.remove() }
        return try await body(sandbox)
    }
}
