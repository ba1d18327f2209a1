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

/// The state of a sandbox that is visible to a user: all files, and the lists of installed bundles and of their history.
///
/// When a version's code runs for the first time, the host records its success in the registry and its minimum version in `MinimumVersions`. So
/// after a command that runs a plugin's code, an otherwise unchanged sandbox may differ in these two places. After other commands, compare
/// the ``FileTree``.
///
/// ```swift
/// let before = try await host.view(of: sandbox)
/// // ... a page that is refused by its plugin ...
/// #expect(before.changes(to: try await host.view(of: sandbox)) == [])
/// ```
public struct SandboxView: Hashable, Sendable {
    /// All files and folders.
    public let tree: FileTree
    /// The output of the list command.
    public let list: String
    /// The output of the history command.
    public let history: String

    /// The expected changes of the tree after code has run.
    private static let notes = [
        "~ Containers/Bundle/registry.sqlite: content", "+ Containers/Bundle/MinimumVersions",
        "~ Containers/Bundle/MinimumVersions/",
    ]

    /// Returns the differences to a later view, one line each, without the expected changes after code has run.
    public func changes(to later: SandboxView) -> [String] {
        var changes = tree.changes(to: later.tree).filter { change in
            !Self.notes.contains(where: change.hasPrefix)
        }
        if list != later.list { changes.append("list: \(list) to \(later.list)") }
        if history != later.history { changes.append("history: \(history) to \(later.history)") }
        return changes
    }
}

extension HostApp {
    /// Returns a view of the sandbox of this host without changing it.
    ///
    /// - Throws: ``FixtureError`` for a file that cannot be read, ``ProcessFailure``.
    public func view(of sandbox: ThrowawaySandbox) async throws -> SandboxView {
        let tree = try sandbox.tree()
        return SandboxView(tree: tree, list: try await told("list"), history: try await told("history"))
    }

    private func told(_ command: String) async throws(ProcessFailure) -> String {
        let result = try await run(command)
        return result.status == 0 ? result.stdout : result.description
    }
}
