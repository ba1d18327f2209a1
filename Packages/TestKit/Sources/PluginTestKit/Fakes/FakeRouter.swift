public import PluginCore
internal import PluginRouter
internal import Synchronization

/// A router that opens nothing: it remembers what was to be opened, and answers what the test told it to.
///
/// Paths are ``ResourceURI/resourcePath``: `shop/item/42`, without scheme and query. A path without an answer opens as
/// if its page were shown, and as if the user left it at once when it was presented; it has no object.
///
/// ```swift
/// let router = FakeRouter()
/// router.answer("account/sign-in") { _ in .dismissed(true) }
/// ```
public final class FakeRouter: Routing {
    /// One address that was to be opened.
    public struct Opening: Sendable {
        /// The address.
        public let uri: ResourceURI
        /// What was sent along.
        public let userInfo: ActionParameters
        /// How it was to be shown.
        public let presentation: Presentation
    }

    /// What to answer to an opening.
    public typealias Answer = @Sendable (Opening) async throws -> RouteOutcome
    /// What to answer to a wish for an object.
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

    /// A router that lets every address open.
    public init() {}

    /// Makes `answer` the outcome of opening a path.
    public func answer(_ path: String, with answer: @escaping Answer) {
        state.withLock { $0.answers[path] = answer }
    }

    /// Makes `answer` the object behind a path.
    public func answerObject(_ path: String, with answer: @escaping ObjectAnswer) {
        state.withLock { $0.objects[path] = answer }
    }

    /// Lets no route take a path: opening it throws `routeUnknown`.
    public func refuse(_ path: String) {
        state.withLock { _ = $0.unknown.insert(path) }
    }

    /// Every opening so far, refused ones included, in order.
    public var opened: [Opening] {
        state.withLock { $0.opened }
    }

    /// The texts of the addresses opened so far, in order.
    public var openedAddresses: [String] {
        opened.map(\.uri.text)
    }

    /// The routes registered in code and not taken back, by pattern.
    public var routes: [String: FakeRoute] {
        state.withLock { $0.routes }
    }

    /// Records the opening and answers it.
    ///
    /// - Throws: ``AtriumError`` with code `routeUnknown` for a refused path, and whatever the answer throws.
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

    /// The object the test put behind the path.
    ///
    /// - Throws: ``AtriumError`` with code `routeUnknown` when there is none, and whatever the answer throws.
    public func object(for uri: ResourceURI, userInfo: ActionParameters) async throws -> any Sendable {
        guard let answer = state.withLock({ $0.objects[uri.resourcePath] }) else {
            throw AtriumError(.routeUnknown, uri.text)
        }
        return try await answer(uri, userInfo)
    }

    /// True for every path that is not refused.
    public func canOpen(_ uri: ResourceURI) async -> Bool {
        state.withLock { !$0.unknown.contains(uri.resourcePath) }
    }

    /// Keeps the route. Patterns are not read, only compared.
    ///
    /// - Throws: ``AtriumError`` with code `routeConflict` for a pattern that is already there.
    public func register(
        _ pattern: String, kind: RouteKind, options: RouteOptions, handler: @escaping RouteHandler
    ) throws {
        try state.withLock { state in
            guard state.routes[pattern] == nil else { throw AtriumError(.routeConflict, pattern) }
            state.routes[pattern] = FakeRoute(pattern: pattern, kind: kind, options: options, handler: handler)
        }
    }

    /// The interceptors that the plugin has put in front of its routes, by pattern; `nil` stands for all.
    public var interceptors: [(pattern: String?, interceptor: any RouteInterceptor)] {
        state.withLock { $0.interceptors }
    }

    /// Keeps the interceptor.
    public func intercept(_ pattern: String?, by interceptor: any RouteInterceptor) {
        state.withLock { $0.interceptors.append((pattern, interceptor)) }
    }

    /// The address that the pattern matches.
    ///
    /// - Throws: as the host's router does.
    public func address(of pattern: String, _ parts: AddressParts, scheme: String?) throws -> ResourceURI {
        try RoutePattern(pattern).address(parts, scheme: scheme)
    }

    /// Forgets the route.
    public func unregister(_ pattern: String) {
        state.withLock { $0.routes[pattern] = nil }
    }
}

/// A route that a plugin registered in code.
public struct FakeRoute: Sendable {
    /// The pattern, unread.
    public let pattern: String
    /// How it may be asked for.
    public let kind: RouteKind
    /// What else it says about itself.
    public let options: RouteOptions
    /// What it does; a test calls it.
    public let handler: RouteHandler
}
