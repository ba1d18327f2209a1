import PluginTestKit

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
struct SandboxView: Hashable, Sendable {
    /// All files and folders.
    let tree: FileTree
    /// The output of the list command.
    let list: String
    /// The output of the history command.
    let history: String

    /// The expected changes of the tree after code has run.
    private static let notes = [
        "~ Containers/Bundle/registry.sqlite: content", "+ Containers/Bundle/MinimumVersions",
        "~ Containers/Bundle/MinimumVersions/",
    ]

    /// Returns the differences to a later view, one line each, without the expected changes after code has run.
    func changes(to later: SandboxView) -> [String] {
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
    func view(of sandbox: ThrowawaySandbox) async throws -> SandboxView {
        let tree = try sandbox.tree()
        return SandboxView(tree: tree, list: try await told("list"), history: try await told("history"))
    }

    private func told(_ command: String) async throws(ProcessFailure) -> String {
        let result = try await run(command)
        return result.status == 0 ? result.stdout : result.description
    }
}
