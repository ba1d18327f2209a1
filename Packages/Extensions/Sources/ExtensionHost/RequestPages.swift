import ExtensionProcess
import ExtensionProtocol
import PluginCore
import PluginExtension
import PluginRuntime

/// The pages of an extension's request, on the stack of the host that has made the request.
///
/// As a stack of pages, it is the only one that the extension can see and change: it consists of the extension's pages, until the request
/// ends.
@MainActor
final class RequestPages: Navigator {
    private struct Request {
        let time: RequestTime
        let stack: PageStack
        let shown: AsyncStream<RemotePage>.Continuation
        var hasPage = false
    }

    /// The objects that the extension's process shares with the host.
    private(set) lazy var objects: ObjectConnection = {
        var settings = ObjectConnectionSettings()
        settings.failure = { [end] _ in await end.wait() }
        settings.performing = { [weak self] _, action in try await self?.perform(action) }
        return ObjectConnection(
            root: ObjectConnection.root { [weak self] in try await self?.show($1, for: $0) }, settings)
    }()
    private let end: ExtensionProcess.End
    private var request: Request?

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
        let (pages, shown) = AsyncStream.makeStream(of: RemotePage.self)
        request = Request(time: time, stack: stack, shown: shown)
        return try await withThrowingTaskGroup(of: Reply?.self) { group in
            // Before the group waits for the task that presents the page.
            defer { close() }
            group.addTask { try await perform() }
            group.addTask {
                if await self.isLeft(pages) { throw AtriumError(.requestCanceled, identifier) }
                return nil
            }
            while let reply = try await group.next() { if let reply { return reply } }
            throw CancellationError()
        }
    }

    /// Presents the page of the request, and returns whether the user has left it before the request ended.
    private func isLeft(_ pages: AsyncStream<RemotePage>) async -> Bool {
        for await page in pages {
            guard let request else { break }
            _ = await request.stack.present(page)
            return !request.time.isOver
        }
        return false
    }

    /// Shows the first page of the request with a number.
    private func show(_ page: RemotePage, for number: UInt32) throws {
        guard let request, request.time.number == number, !request.hasPage else {
            throw AtriumError(.pageNotShown, page.lastTitle)
        }
        self.request?.hasPage = true
        request.time.end()
        request.shown.yield(page)
    }

    /// Performs an action of a page, for which the extension has as much time as for the request.
    private func perform(_ action: @MainActor @Sendable (any Navigator) async throws -> Void) async throws {
        guard let time = request?.time else { return }
        try time.begin()
        let result: Result<Void, any Error>
        do {
            result = .success(try await action(self))
        } catch {
            result = .failure(error)
        }
        time.end()
        // The request itself says how it has ended. Whoever waits for the action then finds no page.
        if time.isOver { return close() }
        try result.get()
    }

    /// Removes the pages at the end of the request.
    private func close() {
        guard let ended = request else { return }
        request = nil
        ended.shown.finish()
        ended.stack.remove(where: isOwn)
    }

    private func isOwn(_ page: any Page) -> Bool { (page as? RemotePage)?.isOf(objects) ?? false }

    // MARK: The stack as the extension sees it

    var pages: [any Page] { request?.stack.stacked.filter(isOwn) ?? [] }

    var presentedPages: [any Page] { request?.stack.presentedPages.filter(isOwn) ?? [] }

    func push(_ page: any Page) { request?.stack.push(page) }

    func pop() {
        if let stack = request?.stack, let top = stack.stacked.last, isOwn(top) { stack.pop() }
    }

    func present(_ page: any Page) async -> (any Sendable)? {
        guard let request else { return nil }
        let isInAction = request.time.end()
        let value = await request.stack.present(page)
        // Without a deadline, the user can still leave the page.
        if isInAction { try? request.time.begin() }
        return value
    }

    func dismiss(returning value: (any Sendable)?) {
        guard let stack = request?.stack, let top = stack.presentedPages.last, isOwn(top) else { return }
        stack.dismiss(returning: value)
    }

    func show(notice: String) { request?.stack.show(notice: notice) }
}
