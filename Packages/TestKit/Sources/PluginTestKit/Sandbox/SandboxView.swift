internal import PluginCore

/// What a user can tell of a sandbox at one moment: every file, and what `hostapp list` and `hostapp history` say.
///
/// Code that runs for the first time leaves notes of the host's, beside its work: that the version has proven itself in the
/// registry, and below what no version may be installed from now on in `Floors`. After a command that has run a plugin's
/// code, a sandbox that is as it was differs in these two files at most; after any other, compare its ``FileTree``.
///
/// ```swift
/// let before = try await host.view(of: sandbox)
/// // ... a page that is refused by its plugin ...
/// #expect(before.changes(to: try await host.view(of: sandbox)) == [])
/// ```
public struct SandboxView: Hashable, Sendable {
    /// Every file and folder.
    public let tree: FileTree
    /// What `hostapp list` prints.
    public let list: String
    /// What `hostapp history` prints.
    public let history: String

    /// How the notes of what has run show in a comparison of trees.
    private static let notes = [
        "~ Containers/Bundle/registry.sqlite: content", "+ Containers/Bundle/Floors", "~ Containers/Bundle/Floors/",
    ]

    /// What is different later, a line each: the changes of the tree that are no notes, `list` and `history`.
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
    /// Looks at the sandbox that this host works on, and changes nothing in it.
    ///
    /// - Throws: ``FixtureError`` for what cannot be read, ``ProcessFailure``.
    public func view(of sandbox: ThrowawaySandbox) async throws -> SandboxView {
        let tree = try sandbox.tree()
        return SandboxView(tree: tree, list: try await told("list"), history: try await told("history"))
    }

    private func told(_ command: String) async throws(ProcessFailure) -> String {
        let result = try await run(command)
        return result.status == 0 ? result.stdout : result.description
    }
}
