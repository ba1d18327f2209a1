import HostSystem
public import PluginCore
import PluginRouter
import Synchronization

/// Watches the pages of the bundles that are loaded in this process, so that one that hangs or crashes is attributed to its bundle.
public final class PageWatcher: Sendable {
    fileprivate struct Entry {
        let image: CodeImage?
        weak let lease: Lease?
        let begin: @Sendable (ExecutionPhase) -> CrashSentinel?
        let open: @Sendable (String, Lease) async throws -> Void
    }

    private let entries = Mutex<[Entry]>([])

    /// Adds a loaded version with its lease, and the image of its code unless that is in another process.
    ///
    /// - Parameters:
    ///   - open: opens an address on behalf of the version.
    ///   - begin: begins to watch a call into its code.
    func add(
        _ lease: Lease, image: CodeImage?, open: @escaping @Sendable (String, Lease) async throws -> Void,
        _ begin: @escaping @Sendable (ExecutionPhase) -> CrashSentinel?
    ) {
        entries.withLock { entries in
            entries.removeAll { $0.lease == nil }
            entries.append(Entry(image: image, lease: lease, begin: begin, open: open))
        }
    }

    /// Returns a page for use by a host: to show it, to perform its actions, and to close it.
    ///
    /// A crash in a version that hasn't run successfully is then attributed to it, and code that blocks the main actor for too
    /// long is reported, for every version. Errors of actions name the bundle, which is the one that has returned the page or
    /// contains its class. The page on the navigation stack remains the bundle's own.
    @MainActor
    public func watched(_ page: any Page) -> any Page {
        let image = CodeImage(of: page)
        let owner = entries.withLock { entries in
            entries.last { $0.lease?.pages.contains(page) ?? false }
                ?? entries.last { image != nil && $0.image == image }
        }
        return owner.map { WatchedPage(page, of: $0) } ?? page
    }
}

/// A page as seen by a host, with a watch over each call into its bundle's code.
@MainActor
private final class WatchedPage: PageWrapper, CustomReflectable {
    private let page: any Page
    nonisolated var wrapped: any Page { page }
    private let owner: PageWatcher.Entry

    /// Creates a watched page.
    ///
    /// - Parameter owner: the version, which errors of the page's actions name.
    init(_ page: any Page, of owner: PageWatcher.Entry) {
        self.page = page
        self.owner = owner
    }

    var title: String { watching(.page) { page.title } }
    var content: [PageElement] { watching(.page) { page.content } }
    var actions: [PageAction] { watching(.page) { page.actions } }

    func perform(_ action: String, input: [String: String], on navigator: any Navigator) async throws {
        let call = owner.begin(.pageAction)
        // The main actor runs this task when the page's action suspends.
        Task { call?.gaveWay() }
        defer { call?.end() }
        do {
            // Only what the page shows, because the action may come from another program.
            if let lease = owner.lease,
                page.content.flatMap(\.rows).contains(where: { $0.opensAddress && $0.action == action })
            {
                return try await owner.open(action, lease)
            }
            try await page.perform(action, input: input, on: navigator)
        } catch {
            throw owner.lease?.failure(error, of: action, on: page) ?? error
        }
    }

    func didClose() { watching(.page) { page.didClose() } }

    private func watching<R>(_ phase: ExecutionPhase, _ body: () -> R) -> R {
        let call = owner.begin(phase)
        defer { call?.end() }
        return body()
    }

    /// An empty mirror, because the page's content belongs to its bundle.
    nonisolated var customMirror: Mirror { Mirror(self, children: []) }
}
