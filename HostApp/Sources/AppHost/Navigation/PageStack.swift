public import PluginCore

/// The host's navigator: a stack of pages, some of them presented for a result.
@MainActor
public final class PageStack: Navigator {
    private struct Entry {
        let page: any Page
        /// Resumes who presented the page; `nil` for a page that was pushed.
        let answer: CheckedContinuation<(any Sendable)?, Never>?
    }

    private var entries: [Entry] = []

    /// Called after every change: a page came or went, or somebody began to wait for one.
    var didChange: @MainActor () -> Void = {}
    /// Called with each line that a plugin tells the user.
    var didNotice: @MainActor (String) -> Void = { _ in }

    /// An empty stack.
    public init() {}

    /// The pages, bottom first.
    public var pages: [any Page] { entries.map(\.page) }

    /// The page the user sees.
    public var top: (any Page)? { entries.last?.page }

    /// How many pages somebody waits for an answer from.
    public var presentedCount: Int { entries.count { $0.answer != nil } }

    /// Puts a page on top.
    public func push(_ page: any Page) {
        entries.append(Entry(page: page, answer: nil))
        didChange()
    }

    /// Takes the top page away; a presented one is dismissed without a value. The last pushed page stays.
    public func pop() {
        guard let last = entries.last else { return }
        if last.answer != nil { return dismiss(returning: nil) }
        guard entries.count > 1 else { return }
        entries.removeLast()
        last.page.didClose()
        didChange()
    }

    /// Shows a page over everything and waits until it is dismissed.
    public func present(_ page: any Page) async -> (any Sendable)? {
        await withCheckedContinuation { answer in
            entries.append(Entry(page: page, answer: answer))
            didChange()
        }
    }

    /// Takes the topmost presented page away, with everything above it, and resumes who presented it.
    public func dismiss(returning value: (any Sendable)?) {
        guard let index = entries.lastIndex(where: { $0.answer != nil }) else { return }
        let closed = entries[index...]
        entries.removeSubrange(index...)
        for entry in closed.reversed() { entry.page.didClose() }
        didChange()
        closed.first?.answer?.resume(returning: value)
    }

    /// Tells the user something in one line.
    public func show(notice: String) {
        didNotice(notice)
    }

    /// Closes everything, top first, as at the end of a session; whoever waits gets no value.
    public func closeAll() {
        while let last = entries.popLast() {
            last.page.didClose()
            last.answer?.resume(returning: nil)
        }
        didChange()
    }
}
