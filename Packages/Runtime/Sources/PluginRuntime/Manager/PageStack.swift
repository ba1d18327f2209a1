public import PluginCore
import PluginRouter

/// A navigator that keeps the pages of a host in a stack, some of them presented for a result.
@MainActor
public final class PageStack: Navigator {
    private struct Entry {
        let page: any Page
        /// The address that the page was opened with, or nil for a page that a plugin has shown itself.
        let address = ShownAddress.current
        /// The presenter that waits for a result; `nil` for a page that was pushed.
        let waiting: Waiting?
    }

    private struct Waiting {
        let presenter: Int?
        let answer: CheckedContinuation<(any Sendable)?, Never>
    }

    private var entries: [Entry] = [] {
        didSet {
            observation = entries.last.map { entry in
                PageObservation(of: entry.page) { [invalidation] in invalidation.yield() }
            }
        }
    }
    /// The observation of the top page.
    private var observation: PageObservation?
    private let invalidation: AsyncStream<Void>.Continuation

    /// An element for each time that the visible page has changed by itself since the last element was read, for one reader.
    ///
    /// A host draws the page again then; it need not after what it does itself with the stack. See `Page.invalidate()`.
    ///
    /// ```swift
    /// @MainActor func redraw(_ stack: PageStack) async {
    ///     for await _ in stack.invalidations { print(stack.top?.title ?? "") }
    /// }
    /// ```
    public let invalidations: AsyncStream<Void>
    /// The pages that the host shows beside the stack, such as in tabs. Back leads to one of them from the last page.
    package var beside: [any Page] = []

    /// Returns the number of the request that presents the current page, assigned by the session.
    package var presenter: @MainActor () -> Int? = { nil }
    /// Returns whether the current caller may show a page; a canceled request may not.
    package var mayShow: @MainActor () -> Bool = { true }
    /// Wraps a page for calls by the host, which a host sets to the watch over its plugins' pages.
    package var watched: @MainActor (any Page) -> any Page = { $0 }
    /// Called after every change of the pages or of their presenters.
    package var didChange: @MainActor () -> Void = {}
    /// Called with each notice that a plugin shows to the user.
    package var didNotice: @MainActor (String) -> Void = { _ in }

    /// Creates an empty stack.
    public nonisolated init() {
        (invalidations, invalidation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// The pages beside the stack, and then those of the stack from bottom to top.
    public var pages: [any Page] { beside + stacked }

    /// The pages whose presenters wait for a result, from bottom to top.
    public var presentedPages: [any Page] { entries.filter { $0.waiting != nil }.map(\.page) }

    /// The pages of the stack from bottom to top.
    package var stacked: [any Page] { entries.map(\.page) }

    /// The visible page, wrapped for calls by the host.
    public var top: (any Page)? { (entries.last?.page).map(watched) }

    /// The address that the visible page was opened with, or nil for a page that a plugin has shown itself.
    public var topAddress: ResourceURI? { entries.last?.address }

    /// The titles of the pages from bottom to top.
    public var titles: [String] { stacked.map { watched($0).title } }

    /// A Boolean value that indicates whether the visible page was presented for a result.
    package var isPresenting: Bool { entries.last.map { $0.waiting != nil } ?? false }

    /// The number of presented pages whose presenters wait for a result.
    public var presentedCount: Int { entries.count { $0.waiting != nil } }

    /// Pushes a page on top.
    public func push(_ page: any Page) {
        guard mayShow() else { return }
        entries.append(Entry(page: page, waiting: nil))
        didChange()
    }

    /// Pops the top page; a presented page is dismissed without a value, and the last pushed page stays.
    public func pop() {
        guard let last = entries.last else { return }
        if last.waiting != nil { return dismiss(returning: nil) }
        guard entries.count > 1 || !beside.isEmpty else { return }
        remove(RangeSet(entries.count - 1..<entries.count), returning: nil)
    }

    /// Presents a page over all others and waits until it is dismissed.
    public func present(_ page: any Page) async -> (any Sendable)? {
        guard mayShow() else { return nil }
        return await withCheckedContinuation { answer in
            entries.append(Entry(page: page, waiting: Waiting(presenter: presenter(), answer: answer)))
            didChange()
        }
    }

    /// Dismisses the topmost presented page and all pages above it, and resumes its presenter.
    public func dismiss(returning value: (any Sendable)?) {
        guard let index = entries.lastIndex(where: { $0.waiting != nil }) else { return }
        remove(RangeSet(index..<entries.count), returning: value)
    }

    /// Shows a notice of one line to the user.
    public func show(notice: String) {
        didNotice(notice)
    }

    /// Closes all pages from top to bottom at the end of a session; presenters get no value.
    public func closeAll() {
        remove(where: { _ in true })
    }

    /// Closes some pages, wherever they are; presenters get no value.
    package func remove(where isMeant: (any Page) -> Bool) {
        remove(entries.indices(where: { isMeant($0.page) }), returning: nil)
    }

    /// Lets a host watch the pages.
    func watch(by watcher: PageWatcher) { watched = { watcher.watched($0) } }

    /// Returns whether a presenter waits for a result.
    package func awaitsAnswer(_ presenter: Int) -> Bool {
        entries.contains { $0.waiting?.presenter == presenter }
    }

    private func remove(_ indices: RangeSet<Int>, returning value: (any Sendable)?) {
        let removed = indices.ranges.flatMap { entries[$0] }.reversed()
        entries.removeSubranges(indices)
        // A page that was pushed twice has left the stack only when no entry contains it any more.
        var left = entries.map { ObjectIdentifier($0.page) }
        for page in removed.map(\.page) where !left.contains(ObjectIdentifier(page)) {
            left.append(ObjectIdentifier(page))
            watched(page).didClose()
        }
        didChange()
        for entry in removed { entry.waiting?.answer.resume(returning: value) }
    }
}
