/// A router that opens addresses and returns the objects of addresses, whichever bundle provides them.
///
/// ```swift
/// try await router.open("app://account/profile?name=Ann&age=30", userInfo: ["onGreeting": greet])
/// ```
public protocol Routing: Sendable {
    /// Opens an address: shows its page or runs its handler.
    ///
    /// The bundle that provides the route is first loaded, and also installed if only the catalog has it.
    ///
    /// - Returns: The outcome.
    /// - Throws: ``AtriumError`` with code `routeUnknown` (with the nearest address), `routeKind`, `exposureDenied`, `routeDenied`,
    ///   `routeCycle`, `chainTooLong`, `deadlineExceeded`, and any error of installing, loading or running the bundle.
    @discardableResult
    func open(
        _ uri: ResourceURI, userInfo: ActionParameters, presentation: Presentation
    ) async throws -> RouteOutcome

    /// Returns the object of an address. This never shows anything.
    ///
    /// - Throws: The errors of ``open(_:userInfo:presentation:)``, and `routeKind` for the address of a page or handler.
    func object(for uri: ResourceURI, userInfo: ActionParameters) async throws -> any Sendable

    /// Returns the page that opening an address would show, without showing it.
    ///
    /// It is for pages inside of others: a root view, the tabs of a tab bar, the columns of a split view. Origin, exposure, interceptors,
    /// redirections and fallbacks are those of ``open(_:userInfo:presentation:)``. The navigator is not involved, so the caller shows the
    /// page, and calls its `didClose()` when it is done with it. A host draws it through `PageWatcher.watched(_:)` like any other page.
    ///
    /// - Throws: The errors of ``open(_:userInfo:presentation:)``, and `routeKind` for an address that opens a handler, which doesn't run.
    func page(for uri: ResourceURI, userInfo: ActionParameters) async throws -> any Page

    /// Returns whether an address has a page, handler or object route that this router's bundle can reach.
    ///
    /// The result is `true` exactly if ``open(_:userInfo:presentation:)`` or ``object(for:userInfo:)`` would reach the interceptors of a
    /// route.
    ///
    /// The route of a bundle that only the catalog has counts, unless it is known without unpacking that the bundle cannot be installed. A
    /// damaged package or a full disk is detected only when the address is opened. A fallback does not count, because opening the address
    /// reports it as unhandled. To make it count, register a route such as `**`.
    ///
    /// This installs nothing, and loads a bundle only if its matching route declares that it may decline.
    func canOpen(_ uri: ResourceURI) async -> Bool

    /// Registers a route, which is removed when this router's bundle is unloaded.
    ///
    /// Its priority counts below the addresses that the manifests of the bundle and its team have. Anywhere else, the route is asked only
    /// for addresses that no manifest has.
    ///
    /// - Throws: ``AtriumError`` with code `patternMalformed`, `routeConflict` or `bundleUnavailable`.
    func register(
        _ pattern: String, kind: RouteKind, options: RouteOptions, handler: @escaping RouteHandler
    ) async throws

    /// Adds an interceptor to one or all routes of this router's bundle. It is removed when the bundle is unloaded.
    ///
    /// - Parameter pattern: The pattern of the route, or `nil` for all routes of the bundle.
    /// - Throws: ``AtriumError`` with code `patternMalformed` or `bundleUnavailable`.
    func intercept(_ pattern: String?, by interceptor: any RouteInterceptor) async throws

    /// Returns the address that a pattern matches with the given captures. This is the reverse of matching.
    ///
    /// - Parameters:
    ///   - pattern: The pattern. One without scheme gets `scheme`.
    ///   - parts: The captures and the query.
    ///   - scheme: The scheme of the address, such as `app`, or `nil` for an address without one.
    /// - Throws: ``AtriumError`` with code `parameterMissing` for a required capture or a `*`; `parameterType` for a value without a
    ///   capture, or one that its capture does not accept or would return differently; `patternMalformed`; and `uriMalformed` for an
    ///   invalid scheme. The pattern always matches a returned address, with the same captures.
    func address(of pattern: String, _ parts: AddressParts, scheme: String?) throws -> ResourceURI

    /// Removes a route that the same bundle registered in code. If there is none, this has no effect.
    func unregister(_ pattern: String)
}

/// A closure that handles the requests of a route that is registered in code.
public typealias RouteHandler = @Sendable (ResourceRequest) async throws -> Resource

/// The presentation of a page.
public enum Presentation: Sendable {
    /// Push the page onto the stack. Opening ends when it is there.
    case push
    /// Present the page over everything else, for a result. Opening ends when it is dismissed.
    case modal
}

/// The outcome of opening an address.
public enum RouteOutcome: Sendable {
    /// The page is on the stack.
    case shown
    /// The page was presented and dismissed with this value, or with nil if the user left it.
    case dismissed((any Sendable)?)
    /// The handler ran and returned this value.
    case handled(any Sendable)
}

extension Routing {
    /// Registers a route with default options.
    ///
    /// - Throws: The errors of ``register(_:kind:options:handler:)``.
    public func register(_ pattern: String, kind: RouteKind, handler: @escaping RouteHandler) async throws {
        try await register(pattern, kind: kind, options: RouteOptions(), handler: handler)
    }

    /// Opens an address that is given as text.
    ///
    /// - Throws: The errors of ``open(_:userInfo:presentation:)``, and `uriMalformed`.
    @discardableResult
    public func open(
        _ text: String, userInfo: ActionParameters = [:], presentation: Presentation = .push
    ) async throws -> RouteOutcome {
        try await open(ResourceURI(text), userInfo: userInfo, presentation: presentation)
    }

    /// Returns the page of an address that is given as text.
    ///
    /// - Throws: The errors of ``page(for:userInfo:)``, and `uriMalformed`.
    public func page(for text: String, userInfo: ActionParameters = [:]) async throws -> any Page {
        try await page(for: ResourceURI(text), userInfo: userInfo)
    }

    /// Returns the object of an address, both the address as text and the object as a given type.
    ///
    /// - Throws: The errors of ``object(for:userInfo:)``, and `uriMalformed` or `resultType`.
    public func object<T>(
        for text: String, userInfo: ActionParameters = [:], as type: T.Type = T.self
    ) async throws -> T {
        try OutputCoding.cast(await object(for: ResourceURI(text), userInfo: userInfo), text)
    }
}

/// An interceptor, which inspects a request before the route handles it and can deny, redirect or suspend it.
///
/// ```swift
/// struct AdultsOnly: RouteInterceptor {
///     let name = "adultsOnly"
///     func intercept(_ request: ResourceRequest) async throws -> Interception {
///         request.captures["age"].flatMap { Int($0) } ?? 0 >= 18 ? .allow : .deny("it is for adults")
///     }
/// }
/// ```
public protocol RouteInterceptor: Sendable {
    /// The name for lists and errors.
    var name: String { get }

    /// Decides about a request.
    ///
    /// - Throws: Any error; the request then fails with it.
    func intercept(_ request: ResourceRequest) async throws -> Interception
}

/// The decision of an interceptor.
public enum Interception: Sendable {
    /// Continue with the next interceptor or, after the last one, with the route.
    case allow
    /// Deny the request with an error that contains this reason, a clause that continues "because".
    case deny(String)
    /// Open another address instead, on behalf of the same caller. A redirection back to an address of the same chain is an error.
    case redirect(ResourceURI)
    /// Suspend the request until a condition returns true. If it returns false, the request is denied with the reason.
    ///
    /// The condition may take as long as a user needs. Afterward the request continues with the route that matches its address by then, and
    /// with the interceptors that have not allowed it yet.
    case suspend(reason: String, until: @Sendable () async throws -> Bool)
}

/// The values from which an address is created: the captures of a pattern, and a query.
public struct AddressParts: Hashable, Sendable {
    /// The value of each capture by name, not encoded. A capture in an optional group may be omitted.
    public var captures: [String: String]
    /// The segments for the pattern's double-star wildcard, not encoded.
    public var rest: [String]
    /// The query.
    public var query: URIParameters

    /// Creates the parts of an address.
    public init(captures: [String: String] = [:], rest: [String] = [], query: URIParameters = []) {
        self.captures = captures
        self.rest = rest
        self.query = query
    }
}
