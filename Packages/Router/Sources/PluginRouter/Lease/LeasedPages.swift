public import PluginCore
import Synchronization

/// A first call into a bundle's code, reported to detect code that crashes or hangs.
///
/// The first call for each purpose is reported: a resource, an action, an interceptor, an observer, and a service.
///
/// ```swift
/// let lease = Lease(owner: "com.example.app.shop") { isHeld in
///     let sentinel = sentinels.begin("com.example.app.shop", isHeld: isHeld)
///     return FirstCall(gaveWay: { sentinel.gaveWay() }, ended: { sentinel.end(isProof: $0) })
/// }
/// ```
public struct FirstCall: Sendable {
    /// A closure that is called before a bundle's code first runs for a purpose, on the thread that runs the code.
    ///
    /// - Parameter isHeld: Whether `gaveWay` will be called when the code suspends. This works for code that is isolated to an actor, such
    ///   as the main actor. Code on a thread pool may change threads unnoticed.
    public typealias Watch = @Sendable (_ isHeld: Bool) -> FirstCall

    let gaveWay: @Sendable () -> Void
    let ended: @Sendable (_ isUse: Bool) -> Void

    /// Creates an observer of a first call.
    ///
    /// - Parameters:
    ///   - gaveWay: Called when the code suspends, perhaps to wait for a user, and its actor runs something else. Also called after the
    ///     end.
    ///   - ended: Called when the code has returned or thrown. `isUse` is `false` if the bundle was only asked a question; its code then
    ///     counts as unused.
    public init(
        gaveWay: @escaping @Sendable () -> Void, ended: @escaping @Sendable (_ isUse: Bool) -> Void
    ) {
        self.gaveWay = gaveWay
        self.ended = ended
    }
}

extension Lease {
    /// The purpose of a call into a bundle's code.
    public enum Purpose: UInt8, Sendable {
        /// Ask the bundle whether it provides something.
        case question = 0
        /// Get a page or an object.
        case resource = 1
        /// Perform an action.
        case action = 2
        /// Intercept a request.
        case interception = 4
        /// Deliver an event.
        case event = 8
        /// Create an instance of a service.
        case service = 16
        /// Announce that the bundle will be unloaded.
        case ending = 32

        var isUse: Bool { self != .question && self != .ending }
    }

    /// Calls code of the bundle, and reports the call if it is the first for its purpose.
    ///
    /// This must directly surround the call, on the thread that runs the code.
    public func invoking<R>(
        _ purpose: Purpose, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> R
    ) async rethrows -> R {
        guard let watch = watch(for: purpose) else { return try await body() }
        let call = watch(isolation != nil)
        if isolation != nil {
            // The actor runs this task when the code suspends.
            Task {
                _ = isolation
                call.gaveWay()
            }
        }
        defer { call.ended(purpose.isUse) }
        return try await body()
    }
}

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
    public func contains(_ page: any Page) -> Bool { path(to: page) != nil }

    /// A Boolean value that indicates whether no page is alive.
    public var isEmpty: Bool { count == 0 }

    /// The number of pages that are alive.
    public var count: Int {
        entries.withLock { entries in
            entries.removeAll { $0.page == nil }
            return entries.count
        }
    }

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

extension Lease {
    /// Runs code of the bundle and adds the bundle as the source of its errors.
    ///
    /// - Parameter request: The request that the code handles: an address or `Target.action`.
    @inline(__always)
    func naming<R>(
        _ request: @autoclosure () -> String, isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> R
    ) async throws -> R {
        do {
            return try await body()
        } catch {
            throw failure(error, in: request(), chain: RequestChain.current?.path)
        }
    }

    /// Returns an error with the bundle as its source. Errors of the host's code and cancellations are returned unchanged.
    ///
    /// - Parameters:
    ///   - request: The request that the code handled.
    ///   - chain: The requests that led there, including the request itself, or `nil` if it is the first.
    func failure(_ error: any Error, in request: String, chain: [String]?) -> any Error {
        guard let bundle, !(error is CancellationError) else { return error }
        let source = AtriumError.Source(bundle: bundle.description, request: request, chain: chain ?? [request])
        return AtriumError.from(error, in: source)
    }

    /// Returns an error of a page action with the bundle as its source and, if known, the requests that led to the page.
    public func failure(_ error: any Error, of action: String, on page: any Page) -> any Error {
        let path = pages.path(to: page) ?? []
        let address = path.last.map { " of \($0)" } ?? ""
        return failure(error, in: "the page action \"\(action)\"\(address)", chain: path + [action])
    }
}
