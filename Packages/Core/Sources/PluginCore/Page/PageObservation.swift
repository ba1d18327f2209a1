import Synchronization

/// The observation of a page that changes by itself. It ends when it is canceled or released.
///
/// Hosts observe the pages that they show, and draw one again after it was invalidated. See ``Page/invalidate()``.
public final class PageObservation: Sendable {
    /// The observers of all pages of the process, by their observations.
    private static let observers = Mutex<[ObjectIdentifier: Observer]>([:])

    private struct Observer {
        let key: ObjectIdentifier
        /// Another page can get the address of one that is gone.
        weak var page: (any Page)?
        let handler: @Sendable () -> Void
    }

    /// Begins to observe a page.
    ///
    /// - Parameter onInvalidation: Called each time that the page is invalidated, on the thread that does it. It must return soon.
    public init(of page: any Page, onInvalidation: @escaping @Sendable () -> Void) {
        let page = page.observed
        let observer = Observer(key: ObjectIdentifier(page), page: page, handler: onInvalidation)
        Self.observers.withLock { $0[ObjectIdentifier(self)] = observer }
    }

    deinit { cancel() }

    /// Ends the observation.
    public func cancel() {
        // The handler is released outside of the lock, because it can refer to other observations.
        let ended = Self.observers.withLock { $0.removeValue(forKey: ObjectIdentifier(self)) }
        withExtendedLifetime(ended) {}
    }

    fileprivate static func invalidate(_ page: any Page) {
        let key = ObjectIdentifier(page)
        let observed = observers.withLock { $0.values.filter { $0.key == key && $0.page === page } }
        for observer in observed { observer.handler() }
    }
}

/// A page that shows the content of another one, such as with further actions.
///
/// Invalidating and observing it means the other page.
@MainActor
public protocol PageWrapper: Page {
    /// The page whose content is shown.
    nonisolated var wrapped: any Page { get }
}

extension Page {
    /// Tells the host that the page has changed by itself, so that it draws the page again if it is visible.
    ///
    /// It is not needed after an action, because a host reads the page again after each. Call it whenever the content has changed for another
    /// reason, as often as you like: hosts draw at most once for all calls before they draw. The call returns at once, and does nothing while
    /// no host shows the page. It may be called from any task and thread; the host reads the content later, on the main actor.
    ///
    /// ```swift
    /// let observation = try context.events.observe("Prices.changed", priority: 0) { [weak page] _ in page?.invalidate() }
    /// ```
    public nonisolated func invalidate() { PageObservation.invalidate(observed) }

    /// Returns a stream with an element for each time that the page was invalidated since the last element was read.
    ///
    /// Observation begins with the call and ends with the stream.
    ///
    /// ```swift
    /// for await _ in page.invalidations() { print(page.content) }
    /// ```
    public nonisolated func invalidations() -> AsyncStream<Void> {
        let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let observation = PageObservation(of: self) { continuation.yield() }
        continuation.onTermination = { _ in observation.cancel() }
        return stream
    }

    /// The page itself, or the page that it wraps.
    fileprivate nonisolated var observed: any Page {
        var page: any Page = self
        while let wrapper = page as? any PageWrapper { page = wrapper.wrapped }
        return page
    }
}
