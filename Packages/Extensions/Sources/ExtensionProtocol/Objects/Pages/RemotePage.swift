package import PluginCore
import Synchronization

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
    package var actions: [PageAction] { currentReplacement()?.actions ?? lastContent.actions.map { PageAction($0) } }
    package var content: [PageElement] {
        if let replacement = currentReplacement() { return replacement.content }
        refresh()
        return lastContent.elements
    }

    package func perform(_ action: String, input: [String: String], on navigator: any Navigator) async throws {
        if let replacement = currentReplacement() {
            return try await replacement.perform(action, input: input, on: navigator)
        }
        try await reference.objects.settings.performing(navigator) { [reference] navigator in
            let stack = ExportedNavigator(navigator, for: reference.objects)
            try await reference.call(function: ExportedPage.Function.perform, action, input, stack)
        }
    }

    package func didClose() {
        if let replacement { return replacement.didClose() }
        reference.notify(function: ExportedPage.Function.close)
    }

    private var lastContent: PageContent { state.withLock { $0.content } }

    /// Returns the page to show in place of this one, which is made when the page is first used after the end of the process.
    private func currentReplacement() -> (any Page)? {
        if replacement == nil, isEnded { replacement = reference.objects.settings.replacement(self) }
        return replacement
    }

    /// Returns whether the page belongs to the other process of a connection.
    package nonisolated func isOf(_ objects: ObjectConnection) -> Bool { reference.objects === objects }

    /// The last title that the process has sent.
    package var lastTitle: String { lastContent.title }

    /// A Boolean value that indicates whether the process of the page has ended.
    var isEnded: Bool { state.withLock { $0.isEnded } }

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
            try? await reference.call(function: ExportedPage.Function.refresh)
            self?.state.withLock { $0.isRefreshing = false }
        }
    }
}

extension RemotePage: CustomReflectable {
    /// An empty mirror, because the reference belongs to the host.
    package nonisolated var customMirror: Mirror { Mirror(self, children: []) }
}

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
    /// The changes that the page makes by itself.
    private let changes: AsyncStream<Void>.Continuation
    private let observation: PageObservation

    /// Creates an object for a page.
    ///
    /// - Parameter send: Sends the changes of this page, and returns when the other process can take more. All invalidations meanwhile lead to
    ///   one further call.
    init(_ page: any Page, send: @escaping @Sendable () async -> Void) {
        self.page = page
        let (stream, changes) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.changes = changes
        observation = PageObservation(of: page) { changes.yield() }
        Task.detached { for await _ in stream { await send() } }
    }

    deinit { changes.finish() }

    func run(_ function: UInt8, _ arguments: inout WireReader) async throws -> any WireEncodable {
        switch Function(rawValue: function) {
        case .perform:
            let (action, input, navigator): (String, [String: String], RemoteNavigator) = try arguments.read()
            do {
                try await page.perform(action, input: input, on: navigator)
            } catch {
                try? await navigator.flush()
                throw error
            }
            try await navigator.flush()
        case .close:
            observation.cancel()
            await page.didClose()
        case .refresh: break
        case nil: throw WireReader.Malformed()
        }
        return EmptyReply()
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

/// The content of a page at one time.
struct PageContent: Hashable, Codable {
    let title: String
    let elements: [PageElement]
    let actions: [PageAction.Description]

    @MainActor
    init(of page: any Page) {
        (title, elements, actions) = (page.title, page.content, page.actions.map(\.description))
    }

    /// Creates the content from what the other process has sent. All contents together are counted before they are decoded.
    init(decoding bytes: [UInt8]) throws { self = try CodedValue(json: bytes).value() }

    /// The content as bytes. It can always be encoded.
    var encoded: [UInt8] { (try? CodedValue(self))?.json ?? [] }
}

/// A page of either process as it passes: its number, and which process it belongs to. The content is sent before the message.
struct PassedPage: WireValue {
    let page: any Page

    init(_ page: any Page) {
        self.page = page
    }

    init(from reader: inout WireReader) throws {
        guard try reader.read(Bool.self) else {
            page = try reader.readReference { number, objects in try objects.page(number) }
            return
        }
        page = try reader.readOwnPage()
    }

    func write(to writer: inout WireWriter) {
        if let page = page as? RemotePage, page.reference.objects === writer.objects {
            writer.write(true, page.reference.number)
        } else {
            writer.write(false)
            writer.writeReference { $0.export(page) }
        }
    }
}

extension WireReader {
    /// Reads the number of a page of this process.
    mutating func readOwnPage() throws -> any Page {
        guard let page = objects?.ownPage(try read()) else { throw Malformed() }
        return page
    }
}
