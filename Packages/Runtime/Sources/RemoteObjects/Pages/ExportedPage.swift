internal import ExtensionProtocol
internal import PluginCore
internal import Synchronization

/// A page of this process that the other process shows.
final class ExportedPage: ExportedObject {
    /// The functions of a page.
    enum Function: UInt8 {
        /// Performs an action; the arguments are its identifier, the fields' texts, and the stack.
        case perform
        /// The page was removed from the stack.
        case close
        /// Sends the content if it has changed.
        case refresh
    }

    let page: any Page
    private let sent = Mutex<PageContent?>(nil)
    private let updates: Mutex<Updates>

    /// The sending of changes that the page makes by itself.
    private struct Updates {
        var isSending = false
        var isNeeded = false
        var observation: PageObservation?
    }

    /// Creates an object for a page.
    ///
    /// - Parameter send: Sends the changes of this page, and returns when the other process can take more. All invalidations meanwhile lead to
    ///   one further call.
    init(_ page: any Page, send: @escaping @Sendable () async -> Void) {
        self.page = page
        updates = Mutex(Updates())
        let observation = PageObservation(of: page) { [weak self] in self?.pageChanged(send) }
        updates.withLock { $0.observation = observation }
    }

    private func pageChanged(_ send: @escaping @Sendable () async -> Void) {
        let isFirst = updates.withLock { updates in
            updates.isNeeded = true
            defer { updates.isSending = true }
            return !updates.isSending
        }
        guard isFirst else { return }
        Task.detached { [weak self] in
            while self?.beginUpdate() == true { await send() }
        }
    }

    private func beginUpdate() -> Bool {
        updates.withLock { updates in
            updates.isSending = updates.isNeeded
            updates.isNeeded = false
            return updates.isSending
        }
    }

    func run(_ function: UInt8, _ arguments: inout ValueReader, _ result: inout ValueWriter) async throws {
        switch Function(rawValue: function) {
        case .perform:
            let action = try arguments.plain.readText()
            let input = try [String: String](from: &arguments.plain)
            let navigator = try await RemoteNavigator(from: &arguments)
            do {
                try await page.perform(action, input: input, on: navigator)
            } catch {
                try? await navigator.flush()
                throw error
            }
            try await navigator.flush()
        case .close:
            updates.withLock { $0.observation.take() }?.cancel()
            await page.didClose()
        case .refresh: break
        case nil: throw WireReader.Malformed()
        }
    }

    /// Makes the next ``changedContent()`` return the content in any case.
    func forgetSent() { sent.withLock { $0 = nil } }

    /// Returns the content if it has changed since the last call.
    @MainActor
    func changedContent() -> PageContent? {
        let content = PageContent(of: page)
        return sent.withLock { sent in
            if sent == content { return nil }
            sent = content
            return content
        }
    }
}
