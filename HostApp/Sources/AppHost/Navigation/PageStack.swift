public import PluginCore

/// The host's navigator: a stack of pages, some of them presented for a result.
@MainActor
public final class PageStack: Navigator {
    private struct Entry {
        let page: any Page
        /// Who presented the page and waits; `nil` for a page that was pushed.
        let waiting: Waiting?
    }

    private struct Waiting {
        let presenter: Int?
        let answer: CheckedContinuation<(any Sendable)?, Never>
    }

    private var entries: [Entry] = []

    /// Who presents the page that is just being presented, by a number that means something to whoever sets this.
    var presenter: @MainActor () -> Int? = { nil }
    /// A Boolean value that indicates whether who asks may show a page; what was interrupted may not.
    var mayShow: @MainActor () -> Bool = { true }
    /// A page as the host calls it, to draw it or to have it do something (`BundleManager.watched(_:)`); by default itself.
    public var watched: @MainActor (any Page) -> any Page = { $0 }
    /// Called after every change: a page came or went, or somebody began to wait for one.
    var didChange: @MainActor () -> Void = {}
    /// Called with each line that a plugin tells the user.
    var didNotice: @MainActor (String) -> Void = { _ in }

    /// An empty stack.
    public init() {}

    /// The pages, bottom first.
    public var pages: [any Page] { entries.map(\.page) }

    /// The page the user sees, as the host calls it.
    public var top: (any Page)? { (entries.last?.page).map(watched) }

    /// The titles of the pages, bottom first.
    public var titles: [String] { pages.map { watched($0).title } }

    /// How many pages somebody waits for an answer from.
    public var presentedCount: Int { entries.count { $0.waiting != nil } }

    /// Puts a page on top.
    public func push(_ page: any Page) {
        guard mayShow() else { return }
        entries.append(Entry(page: page, waiting: nil))
        didChange()
    }

    /// Takes the top page away; a presented one is dismissed without a value. The last pushed page stays.
    public func pop() {
        guard let last = entries.last else { return }
        if last.waiting != nil { return dismiss(returning: nil) }
        guard entries.count > 1 else { return }
        remove(from: entries.count - 1, returning: nil)
    }

    /// Shows a page over everything and waits until it is dismissed.
    public func present(_ page: any Page) async -> (any Sendable)? {
        guard mayShow() else { return nil }
        return await withCheckedContinuation { answer in
            entries.append(Entry(page: page, waiting: Waiting(presenter: presenter(), answer: answer)))
            didChange()
        }
    }

    /// Takes the topmost presented page away, with everything above it, and resumes who presented it.
    public func dismiss(returning value: (any Sendable)?) {
        guard let index = entries.lastIndex(where: { $0.waiting != nil }) else { return }
        remove(from: index, returning: value)
    }

    /// Tells the user something in one line.
    public func show(notice: String) {
        didNotice(notice)
    }

    /// Closes everything, top first, as at the end of a session; whoever waits gets no value.
    public func closeAll() {
        remove(from: 0, returning: nil)
    }

    /// Returns whether a presenter waits for an answer.
    func awaitsAnswer(_ presenter: Int) -> Bool {
        entries.contains { $0.waiting?.presenter == presenter }
    }

    private func remove(from index: Int, returning value: (any Sendable)?) {
        let removed = entries[index...].reversed()
        entries.removeSubrange(index...)
        // A page that was put on the stack twice has left it when no entry holds it any more.
        var left = entries.map { ObjectIdentifier($0.page) }
        for page in removed.map(\.page) where !left.contains(ObjectIdentifier(page)) {
            left.append(ObjectIdentifier(page))
            watched(page).didClose()
        }
        didChange()
        for entry in removed { entry.waiting?.answer.resume(returning: value) }
    }
}
