import ExtensionProcess
import PluginCore
import PluginExtension
import PluginRuntime

/// The stack of pages as an action of an extension's page sees it.
///
/// It consists of the extension's pages, until the request ends. The numbers of pages are limited, so that the user can leave all of them.
@MainActor
final class ActionPages: Navigator {
    /// The maximum number of pages of a request at one time, and of the pages and the notices that an action shows.
    ///
    /// Further notices are dropped.
    private static let limit = 32
    /// The number of presented pages left without a value after which the request is canceled.
    ///
    /// An action that presents a page again whenever the user leaves it must not keep the user from leaving the request.
    private static let leavingLimit = 8

    private let request: OpenRequest
    private let time: RequestTime
    private var isRunning = true
    private var shownPages = 0
    private var shownNotices = 0
    private var waitingPages = 0
    private var leftPages = 0
    /// The error for the first page that was not shown, because there were too many.
    private(set) var failure: AtriumError?

    /// Begins the time of an action, which is as much as that of the request.
    init(of request: OpenRequest) throws {
        self.request = request
        time = request.time.timeOfAction()
        try time.resume()
    }

    /// Ends the time of the action, whose navigator the extension can still use.
    func end() {
        isRunning = false
        time.pause()
    }

    var pages: [any Page] { request.isOpen ? request.stack.stacked.filter(request.isOwn) : [] }

    var presentedPages: [any Page] { request.isOpen ? request.stack.presentedPages.filter(request.isOwn) : [] }

    func push(_ page: any Page) { if canShow(page) { request.stack.push(page) } }

    func pop() {
        if request.isOpen, let top = request.stack.stacked.last, request.isOwn(top) { request.stack.pop() }
    }

    func present(_ page: any Page) async -> (any Sendable)? {
        guard canShow(page) else { return nil }
        waitingPages += 1
        time.pause()
        let value = await request.stack.present(page)
        waitingPages -= 1
        // Without a deadline, the user can still leave the page.
        if isRunning, waitingPages == 0 { try? time.resume() }
        leftPages += value == nil ? 1 : 0
        if leftPages == Self.leavingLimit { request.close() }
        return value
    }

    func dismiss(returning value: (any Sendable)?) {
        guard request.isOpen, let top = request.stack.presentedPages.last, request.isOwn(top) else { return }
        request.stack.dismiss(returning: value)
    }

    func show(notice: String) {
        shownNotices += 1
        if request.isOpen, shownNotices <= Self.limit { request.stack.show(notice: notice) }
    }

    /// Counts a page, and returns whether it can be shown.
    private func canShow(_ page: any Page) -> Bool {
        guard request.isOpen else { return false }
        shownPages += 1
        if shownPages <= Self.limit, pages.count < Self.limit { return true }
        let limit = ErrorReason("tooManyPages", ["limit": .integer(Self.limit)])
        failure = failure ?? AtriumError(.pageNotShown, page.title, reason: limit)
        return false
    }
}
