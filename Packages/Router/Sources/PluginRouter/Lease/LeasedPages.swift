public import PluginCore
internal import Synchronization

/// The pages of a lease that are still alive. A bundle cannot be released while there are any.
///
/// The router adds the pages that a bundle returns. Other pages, such as the result of an action, are added by the code that finds out
/// which bundle they belong to.
public final class LeasedPages: Sendable {
    private struct Entry {
        weak var page: (any Page)?
        /// The requests that led to the page.
        let path: [String]
    }

    private let entries = Mutex<[Entry]>([])

    init() {}

    /// Adds a page. Adding it again has no effect.
    public func add(_ page: any Page) {
        let path = RequestChain.current?.path ?? []
        entries.withLock { entries in
            entries.removeAll { $0.page == nil }
            if !entries.contains(where: { $0.page === page }) { entries.append(Entry(page: page, path: path)) }
        }
    }

    /// Returns the requests that led to a page, starting with the user's, or nil for a page that was not added.
    func path(to page: any Page) -> [String]? {
        entries.withLock { $0.first { $0.page === page }?.path }
    }

    /// Returns whether a page was added.
    public func contains(_ page: any Page) -> Bool {
        entries.withLock { $0.contains { $0.page === page } }
    }

    /// A Boolean value that indicates whether no page is alive.
    public var isEmpty: Bool { count == 0 }

    /// The number of pages that are alive.
    public var count: Int {
        entries.withLock { entries in
            entries.removeAll { $0.page == nil }
            return entries.count
        }
    }
}

extension LeasedPages {
    /// Adds the result of a request if it is a page, or an object that is a page.
    func add(_ resource: Resource) {
        switch resource {
        case .page(let page): add(page)
        case .object(let object):
            // Casting a value that is not a class instance would take longer than this check.
            if type(of: object as Any) is AnyObject.Type, let page = object as? any Page { add(page) }
        }
    }
}
