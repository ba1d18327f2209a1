import ExtensionProcess
import ExtensionProtocol
import PluginCore
import PluginExtension
import PluginRuntime

/// The pages of an extension's requests, on the stacks of the host.
@MainActor
final class RequestPages {
    /// The objects that the extension's process shares with the host.
    private(set) lazy var objects: ObjectConnection = {
        var settings = ObjectConnectionSettings()
        settings.failure = { [end] _ in await end.wait() }
        settings.performing = { [weak self] _, action in try await self?.request?.perform(action) }
        return ObjectConnection(
            root: ObjectConnection.root { [weak self] in try await self?.show($1, for: $0) }, settings)
    }()
    private let end: ExtensionProcess.End
    private var request: OpenRequest?

    /// Creates the pages of an extension without a request.
    ///
    /// - Parameter end: Waits for the end of the extension's process.
    init(until end: ExtensionProcess.End) {
        self.end = end
    }

    /// Performs a request whose page waits for the user on a stack.
    ///
    /// - Throws: The errors of the request; ``AtriumError`` with code `requestCanceled` if the user has left the page.
    func during<Reply: Sendable>(
        _ time: RequestTime, of identifier: BundleIdentifier, on stack: PageStack,
        _ perform: @escaping @Sendable () async throws -> Reply
    ) async throws -> Reply {
        let request = OpenRequest(time, on: stack, objects)
        self.request = request
        return try await withThrowingTaskGroup(of: Reply?.self) { group in
            // Before the group waits for the task that presents the page.
            defer {
                request.close()
                self.request = nil
            }
            group.addTask { try await perform() }
            group.addTask {
                if await request.presentPage() { throw AtriumError(.requestCanceled, identifier) }
                return nil
            }
            while let reply = try await group.next() { if let reply { return reply } }
            throw CancellationError()
        }
    }

    /// Shows the first page of the request with a number.
    private func show(_ page: RemotePage, for number: UInt32) throws {
        guard let request, request.time.number == number, request.show(page) else {
            throw AtriumError(.pageNotShown, page.lastTitle)
        }
    }
}

/// A request during which an extension can show a page.
@MainActor
final class OpenRequest {
    /// The time of the request.
    let time: RequestTime
    /// The stack of the host that has made the request.
    let stack: PageStack
    private let objects: ObjectConnection
    private let firstPage: AsyncStream<RemotePage>
    private let shown: AsyncStream<RemotePage>.Continuation
    private var hasPage = false
    private var actions: [ObjectIdentifier: Task<Void, any Error>] = [:]
    /// A Boolean value that indicates whether the extension can show pages. A closed request never opens again.
    private(set) var isOpen = true

    init(_ time: RequestTime, on stack: PageStack, _ objects: ObjectConnection) {
        (self.time, self.stack, self.objects) = (time, stack, objects)
        (firstPage, shown) = AsyncStream.makeStream()
    }

    /// Shows the first page, for which ``presentPage()`` waits. Returns false for any other page.
    func show(_ page: RemotePage) -> Bool {
        guard isOpen, !hasPage else { return false }
        hasPage = true
        time.pause()
        shown.yield(page)
        return true
    }

    /// Presents the first page, and returns whether the user has left it before the request ended.
    func presentPage() async -> Bool {
        for await page in firstPage where isOpen {
            _ = await stack.present(page)
            return !time.hasRequestEnded
        }
        return false
    }

    /// Performs an action of a page, for which nobody waits after the request has ended.
    ///
    /// - Throws: The errors of the action; ``AtriumError`` with code `pageNotShown` if it has shown too many pages.
    func perform(_ action: @escaping @MainActor @Sendable (any Navigator) async throws -> Void) async throws {
        guard isOpen else { return }
        let pages = try ActionPages(of: self)
        let task = Task.immediate { try await action(pages) }
        actions[ObjectIdentifier(pages)] = task
        let result = await withTaskCancellationHandler(operation: { await task.result }, onCancel: { task.cancel() })
        actions[ObjectIdentifier(pages)] = nil
        pages.end()
        // The request itself says how it has ended. The host, which waits for the action, then finds no page.
        if time.hasRequestEnded { close() }
        guard isOpen else { return }
        try result.get()
        if let failure = pages.failure { throw failure }
    }

    /// Removes the pages, and ends the waiting for actions.
    func close() {
        guard isOpen else { return }
        isOpen = false
        shown.finish()
        stack.remove(where: isOwn)
        for action in actions.values { action.cancel() }
    }

    /// Returns whether a page is the extension's.
    func isOwn(_ page: any Page) -> Bool { (page as? RemotePage)?.isOf(objects) ?? false }
}
