public import PluginCore
import PluginRouter
import Synchronization

/// A fake router that opens nothing. It records opened addresses and returns the results that the test defines.
///
/// Results are defined per ``ResourceURI/resourcePath``: `shop/item/42`, without scheme and query. Opening any other path succeeds without
/// effect, and presenting it returns `nil`; it has no object and no page.
///
/// ```swift
/// let router = FakeRouter()
/// router.answer("account/sign-in") { _ in .dismissed(true) }
/// ```
public final class FakeRouter: Routing {
    /// A recorded opening of an address.
    public struct Opening: Sendable {
        /// The address.
        public let uri: ResourceURI
        /// The user info.
        public let userInfo: ActionParameters
        /// The presentation.
        public let presentation: Presentation
    }

    /// A closure that returns the outcome of opening an address.
    public typealias Answer = @Sendable (Opening) async throws -> RouteOutcome
    /// A closure that returns the object or the page of an address.
    public typealias ObjectAnswer = @Sendable (ResourceURI, ActionParameters) async throws -> any Sendable

    private struct State {
        var opened: [Opening] = []
        var answers: [String: Answer] = [:]
        var objects: [String: ObjectAnswer] = [:]
        var unknown: Set<String> = []
        var routes: [String: FakeRoute] = [:]
        var interceptors: [(pattern: String?, interceptor: any RouteInterceptor)] = []
    }

    private let state = Mutex(State())

    /// Creates a router that opens every address.
    public init() {}

    /// Defines the outcome of opening a path.
    public func answer(_ path: String, with answer: @escaping Answer) {
        state.withLock { $0.answers[path] = answer }
    }

    /// Defines the object of a path, which can be a page.
    public func answerObject(_ path: String, with answer: @escaping ObjectAnswer) {
        state.withLock { $0.objects[path] = answer }
    }

    /// Rejects a path: opening it throws an error as if no route matched.
    public func refuse(_ path: String) {
        state.withLock { _ = $0.unknown.insert(path) }
    }

    /// All openings so far in order, including rejected ones.
    public var opened: [Opening] {
        state.withLock { $0.opened }
    }

    /// The texts of the addresses opened so far, in order.
    public var openedAddresses: [String] {
        opened.map(\.uri.text)
    }

    /// The routes that are registered in code, by pattern.
    public var routes: [String: FakeRoute] {
        state.withLock { $0.routes }
    }

    /// Records the opening and returns its defined outcome.
    ///
    /// - Throws: ``AtriumError`` with code `routeUnknown` for a rejected path, and the errors of the defined closure.
    @discardableResult
    public func open(
        _ uri: ResourceURI, userInfo: ActionParameters, presentation: Presentation
    ) async throws -> RouteOutcome {
        let opening = Opening(uri: uri, userInfo: userInfo, presentation: presentation)
        let answer = try state.withLock { state throws(AtriumError) in
            state.opened.append(opening)
            guard !state.unknown.contains(uri.resourcePath) else { throw AtriumError(.routeUnknown, uri.text) }
            return state.answers[uri.resourcePath]
        }
        if let answer { return try await answer(opening) }
        return switch presentation {
        case .push: .shown
        case .modal: .dismissed(nil)
        @unknown default: .shown
        }
    }

    /// Returns the defined object of the path.
    ///
    /// - Throws: ``AtriumError`` with code `routeUnknown` if none is defined, and the errors of the defined closure.
    public func object(for uri: ResourceURI, userInfo: ActionParameters) async throws -> any Sendable {
        guard let answer = state.withLock({ $0.objects[uri.resourcePath] }) else {
            throw AtriumError(.routeUnknown, uri.text)
        }
        return try await answer(uri, userInfo)
    }

    /// Returns the defined page of the path.
    ///
    /// - Throws: The errors of ``object(for:userInfo:)``, and `routeKind` for an object that is not a page.
    public func page(for uri: ResourceURI, userInfo: ActionParameters) async throws -> any Page {
        guard let page = try await object(for: uri, userInfo: userInfo) as? any Page else {
            throw AtriumError(.routeKind, uri.text, reason: "noPage")
        }
        return page
    }

    /// Returns true for every path that is not rejected.
    public func canOpen(_ uri: ResourceURI) async -> Bool {
        state.withLock { !$0.unknown.contains(uri.resourcePath) }
    }

    /// Records the route. Patterns are only compared, not parsed.
    ///
    /// - Throws: ``AtriumError`` with code `routeConflict` for a pattern that is already registered.
    public func register(
        _ pattern: String, kind: RouteKind, options: RouteOptions, handler: @escaping RouteHandler
    ) throws {
        try state.withLock { state in
            guard state.routes[pattern] == nil else { throw AtriumError(.routeConflict, pattern) }
            state.routes[pattern] = FakeRoute(pattern: pattern, kind: kind, options: options, handler: handler)
        }
    }

    /// The interceptors that the plugin added to its routes, by pattern. A nil pattern refers to all routes.
    public var interceptors: [(pattern: String?, interceptor: any RouteInterceptor)] {
        state.withLock { $0.interceptors }
    }

    /// Records the interceptor.
    public func intercept(_ pattern: String?, by interceptor: any RouteInterceptor) {
        state.withLock { $0.interceptors.append((pattern, interceptor)) }
    }

    /// Returns the address that the pattern matches.
    ///
    /// - Throws: The errors of the host's router.
    public func address(of pattern: String, _ parts: AddressParts, scheme: String?) throws -> ResourceURI {
        try RoutePattern(pattern).address(parts, scheme: scheme)
    }

    /// Removes the route.
    public func unregister(_ pattern: String) {
        state.withLock { $0.routes[pattern] = nil }
    }
}

/// A route that a plugin registered in code.
public struct FakeRoute: Sendable {
    /// The pattern, not parsed.
    public let pattern: String
    /// The kind of route.
    public let kind: RouteKind
    /// The options of the route.
    public let options: RouteOptions
    /// The handler, which a test can call.
    public let handler: RouteHandler
}
