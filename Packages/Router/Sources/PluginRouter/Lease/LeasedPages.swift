public import PluginCore
internal import Synchronization

/// Pages of one lease, as long as they live: whoever ends the lease asks whether there are any.
///
/// The router adds what a bundle answers a request with. A page that comes another way, as what an action returned, is added
/// by whoever finds out whose it is.
public final class LeasedPages: Sendable {
    private struct Entry {
        weak var page: (any Page)?
        /// The requests that led to the page.
        let path: [String]
    }

    private let entries = Mutex<[Entry]>([])

    init() {}

    /// Adds a page; again is once.
    public func add(_ page: any Page) {
        let path = RequestChain.current?.path ?? []
        entries.withLock { entries in
            entries.removeAll { $0.page == nil }
            if !entries.contains(where: { $0.page === page }) { entries.append(Entry(page: page, path: path)) }
        }
    }

    /// The requests that led to a page, the user's first; `nil` for a page that was not added.
    func path(to page: any Page) -> [String]? {
        entries.withLock { $0.first { $0.page === page }?.path }
    }

    /// Returns whether a page was added.
    public func contains(_ page: any Page) -> Bool {
        entries.withLock { $0.contains { $0.page === page } }
    }

    /// A Boolean value that indicates whether none lives any more.
    public var isEmpty: Bool { count == 0 }

    /// How many live.
    public var count: Int {
        entries.withLock { entries in
            entries.removeAll { $0.page == nil }
            return entries.count
        }
    }
}

extension LeasedPages {
    /// Adds what a bundle answers with, if that is a page: to be shown at once, or by whoever has asked for it.
    func add(_ resource: Resource) {
        switch resource {
        case .page(let page): add(page)
        case .object(let object):
            // To ask what is no object whether it is a page takes longer.
            if type(of: object as Any) is AnyObject.Type, let page = object as? any Page { add(page) }
        }
    }
}
