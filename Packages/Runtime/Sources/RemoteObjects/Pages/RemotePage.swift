internal import ExtensionProtocol
package import PluginCore
internal import Synchronization

/// A page of the other process, as this one shows it.
///
/// The content is what the other process has sent last. It sends it before everything that this process could draw the page after: the
/// reply to a call, and each of its own calls. Reading the content makes the other process send it again if it has changed by itself, and so
/// does invalidating the page there. The page is invalidated here whenever it has changed, and at the end of the process, after which it shows
/// its ``replacement``.
package final class RemotePage: Page {
    let reference: RemoteReference
    private let state: Mutex<State>

    private struct State {
        var content: PageContent
        var isRefreshing = false
        var isEnded = false
    }

    /// The request that has led to the page, if it is known.
    package var request: ResourceRequest?
    /// The page that is shown in place of this one.
    package var replacement: (any Page)?

    nonisolated init(_ reference: RemoteReference, _ content: PageContent) {
        self.reference = reference
        state = Mutex(State(content: content))
    }

    package var title: String { currentReplacement()?.title ?? lastContent.title }
    package var actions: [PageAction] { currentReplacement()?.actions ?? lastContent.actions }
    package var content: [PageElement] {
        if let replacement = currentReplacement() { return replacement.content }
        refresh()
        return lastContent.elements
    }

    package func perform(_ action: String, input: [String: String], on navigator: any Navigator) async throws {
        if let replacement = currentReplacement() {
            return try await replacement.perform(action, input: input, on: navigator)
        }
        let exported = ExportedNavigator(navigator)
        try await reference.call(ExportedPage.Function.perform) { writer in
            writer.plain.write(action)
            input.write(to: &writer.plain)
            exported.write(to: &writer)
        }
    }

    package func didClose() {
        if let replacement { return replacement.didClose() }
        reference.notify(ExportedPage.Function.close)
    }

    private var lastContent: PageContent { state.withLock { $0.content } }

    /// Returns the page to show in place of this one, which is made when the page is first used after the end of the process.
    private func currentReplacement() -> (any Page)? {
        if replacement == nil, isEnded { replacement = reference.objects.replacement(of: self) }
        return replacement
    }

    /// The last title that the process has sent.
    package var lastTitle: String { lastContent.title }

    /// A Boolean value that indicates whether the process of the page has ended.
    package var isEnded: Bool { state.withLock { $0.isEnded } }

    /// Replaces the content.
    nonisolated func update(_ content: PageContent) {
        let hasChanged = state.withLock { state in
            defer { state.content = content }
            return state.content != content
        }
        if hasChanged { invalidate() }
    }

    nonisolated func processEnded() {
        state.withLock { $0.isEnded = true }
        invalidate()
    }

    private func refresh() {
        let isFirst = state.withLock { state in
            defer { state.isRefreshing = true }
            return !state.isRefreshing && !state.isEnded
        }
        guard isFirst else { return }
        Task.detached { [reference, weak self] in
            _ = try? await reference.call(ExportedPage.Function.refresh)
            self?.state.withLock { $0.isRefreshing = false }
        }
    }
}

extension RemotePage: CustomReflectable {
    /// An empty mirror, because the reference belongs to the host.
    package nonisolated var customMirror: Mirror { Mirror(self, children: []) }
}
