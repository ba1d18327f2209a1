public import PluginCore

/// A page stack without a screen.
///
/// ```swift
/// let navigator = FakeNavigator(showing: page)
/// try await page.perform("buy", input: [:], on: navigator)
/// #expect(navigator.notices == ["Bought Desk lamp: order 1"])
/// ```
@MainActor
public final class FakeNavigator: Navigator {
    private typealias Result = CheckedContinuation<(any Sendable)?, Never>

    private struct Entry {
        let page: any Page
        /// Who waits for it; `nil` for a page that was pushed.
        let presenter: Result?
    }

    private var entries: [Entry] = []
    private var watchers: [CheckedContinuation<any Page, Never>] = []

    /// Everything the user was told, in order.
    public private(set) var notices: [String] = []

    /// A stack with one page, or none.
    public init(showing root: (any Page)? = nil) {
        if let root { push(root) }
    }

    /// The pages, bottom first; presented pages included.
    public var pages: [any Page] { entries.map(\.page) }

    /// The page the user sees.
    public var top: (any Page)? { entries.last?.page }

    /// Puts a page on top.
    public func push(_ page: any Page) {
        entries.append(Entry(page: page, presenter: nil))
    }

    /// Takes the top page away, unless it is the last; who presented it is told that the user just left it.
    public func pop() {
        guard entries.count > 1 else { return }
        leave(from: entries.count - 1, returning: nil)
    }

    /// Shows a page over everything and waits until it is dismissed.
    public func present(_ page: any Page) async -> (any Sendable)? {
        await withCheckedContinuation { presenter in
            entries.append(Entry(page: page, presenter: presenter))
            for watcher in watchers { watcher.resume(returning: page) }
            watchers = []
        }
    }

    /// Takes the topmost presented page away, with everything pushed over it, and resumes who presented it.
    public func dismiss(returning value: (any Sendable)?) {
        guard let index = entries.lastIndex(where: { $0.presenter != nil }) else { return }
        leave(from: index, returning: value)
    }

    /// Remembers the notice.
    public func show(notice: String) {
        notices.append(notice)
    }

    /// The topmost presented page; waits for the next one when none is presented.
    public func presentedPage() async -> any Page {
        if let entry = entries.last(where: { $0.presenter != nil }) { return entry.page }
        return await withCheckedContinuation { watchers.append($0) }
    }

    private func leave(from index: Int, returning value: (any Sendable)?) {
        let gone = entries[index...]
        entries.removeSubrange(index...)
        for entry in gone.reversed() { entry.page.didClose() }
        gone.first?.presenter?.resume(returning: value)
    }
}
