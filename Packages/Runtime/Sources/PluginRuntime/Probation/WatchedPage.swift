public import PluginCore
import PluginRouter
import Synchronization

/// A page as a host calls it: each call into its bundle's code is watched.
@MainActor
private final class WatchedPage: Page {
    private let page: any Page
    private let lease: Lease?
    private let begin: @Sendable (ProbationPhase) -> WatchedCall

    /// - Parameter lease: names the bundle in what the page's actions throw.
    init(_ page: any Page, of lease: Lease?, _ begin: @escaping @Sendable (ProbationPhase) -> WatchedCall) {
        self.page = page
        self.lease = lease
        self.begin = begin
    }

    var title: String { watching(.page) { page.title } }
    var content: [PageElement] { watching(.page) { page.content } }
    var actions: [PageAction] { watching(.page) { page.actions } }

    func perform(_ action: String, input: [String: String], on navigator: any Navigator) async throws {
        let call = begin(.pageAction)
        // The main actor comes to this when the page has given it back.
        Task { call.gaveWay() }
        defer { call.end() }
        do {
            try await page.perform(action, input: input, on: navigator)
        } catch {
            throw lease?.failure(error, of: action, on: page) ?? error
        }
    }

    func didClose() { watching(.page) { page.didClose() } }

    private func watching<R>(_ phase: ProbationPhase, _ body: () -> R) -> R {
        let call = begin(phase)
        defer { call.end() }
        return body()
    }
}

extension WatchedPage: CustomReflectable {
    /// Nothing: a page is its bundle's.
    nonisolated var customMirror: Mirror { Mirror(self, children: []) }
}

/// Whose pages are whose, for all code of bundles that runs in this process.
final class PageOwners: Sendable {
    private struct Entry {
        let bundle: PluginBundle
        let image: CodeImage?
        weak var lease: Lease?
        let begin: @Sendable (ProbationPhase) -> WatchedCall
    }

    private let entries = Mutex<[Entry]>([])

    /// A version was loaded.
    ///
    /// - Parameter begin: begins to watch a call into its code.
    func add(
        _ bundle: PluginBundle, image: CodeImage?, lease: Lease,
        _ begin: @escaping @Sendable (ProbationPhase) -> WatchedCall
    ) {
        entries.withLock { entries in
            entries.removeAll { $0.lease == nil }
            entries.append(Entry(bundle: bundle, image: image, lease: lease, begin: begin))
        }
    }

    /// A page, watched when it is one of a bundle's code: the bundle has handed it out, or its class is the bundle's.
    @MainActor
    func watched(_ page: any Page) -> any Page {
        let image = CodeImage(of: page)
        let owner = entries.withLock { entries in
            entries.last { $0.lease?.pages.contains(page) ?? false }
                ?? entries.last { image != nil && $0.image == image }
        }
        guard let owner else { return page }
        return WatchedPage(page, of: owner.lease, owner.begin)
    }
}

extension BundleManager {
    /// A page as a host is to call it: to draw it, to have it perform an action, and to close it.
    ///
    /// A crash of a version that has not run successfully is then known to be the version's, and code that holds the main actor
    /// for too long is told of, whatever version it is. An error that an action throws names the bundle. The page that stays on the stack is the bundle's own.
    @MainActor
    public func watched(_ page: any Page) -> any Page { pageOwners.watched(page) }
}
