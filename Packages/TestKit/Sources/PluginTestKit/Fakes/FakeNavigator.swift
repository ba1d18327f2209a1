public import PluginCore

/// A fake navigator: a stack of pages without a screen.
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
        /// The continuation of the presenter, or nil for a pushed page.
        let presenter: Result?
    }

    private var entries: [Entry] = []
    private var watchers: [CheckedContinuation<any Page, Never>] = []

    /// All notices so far, in order.
    public private(set) var notices: [String] = []

    /// Creates a stack with one page or none.
    public init(showing root: (any Page)? = nil) {
        if let root { push(root) }
    }

    /// The pages from bottom to top, including presented pages.
    public var pages: [any Page] { entries.map(\.page) }

    /// The presented pages from bottom to top.
    public var presentedPages: [any Page] { entries.filter { $0.presenter != nil }.map(\.page) }

    /// The page that the user sees.
    public var top: (any Page)? { entries.last?.page }

    /// Pushes a page onto the stack.
    public func push(_ page: any Page) {
        entries.append(Entry(page: page, presenter: nil))
    }

    /// Removes the top page unless it is the last. The presenter of a presented page gets no value.
    public func pop() {
        guard entries.count > 1 else { return }
        leave(from: entries.count - 1, returning: nil)
    }

    /// Presents a page over everything else and waits until it is dismissed.
    public func present(_ page: any Page) async -> (any Sendable)? {
        await withCheckedContinuation { presenter in
            entries.append(Entry(page: page, presenter: presenter))
            for watcher in watchers { watcher.resume(returning: page) }
            watchers = []
        }
    }

    /// Dismisses the topmost presented page with all pages that were pushed over it, and resumes its presenter.
    public func dismiss(returning value: (any Sendable)?) {
        guard let index = entries.lastIndex(where: { $0.presenter != nil }) else { return }
        leave(from: index, returning: value)
    }

    /// Records the notice.
    public func show(notice: String) {
        notices.append(notice)
    }

    /// Returns the topmost presented page. If there is none, waits for the next one.
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

/// A recorder of the times that a page was invalidated, like a host that shows it.
///
/// ```swift
/// let recorder = InvalidationRecorder(of: page)
/// await bench.events.post("Prices.changed", ["ACME"])
/// try await recorder.next()
/// #expect(page.content == [.field(label: "ACME", value: "12.50")])
/// ```
public final class InvalidationRecorder: Sendable {
    private let counts = Watched((all: 0, seen: 0))
    private let observation: PageObservation

    /// Begins to record.
    public init(of page: any Page) {
        observation = PageObservation(of: page) { [counts] in counts.update { $0.all += 1 } }
    }

    /// The number of times so far. A host draws at most that often.
    public var count: Int { counts.value.all }

    /// Waits until the page was invalidated since the last call, or since recording began.
    ///
    /// - Throws: ``FixtureError`` if the page is not invalidated in time, and `CancellationError`.
    public func next(within limit: Duration = .seconds(10)) async throws {
        let isNew: Bool? = await counts.wait(limit) { counts in
            defer { counts.seen = counts.all }
            return counts.seen < counts.all ? true : nil
        }
        guard isNew == nil else { return }
        try Task.checkCancellation()
        throw FixtureError("the page was not invalidated within \(limit)")
    }
}
