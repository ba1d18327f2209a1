/// Opens addresses, and asks for the objects behind them, whoever serves them.
///
/// ```swift
/// try await router.open("app://account/profile?name=BJHL&age=5", userInfo: ["onGreeting": greet])
/// ```
public protocol Routing: Sendable {
    /// Opens an address: shows the page or runs the handler behind it. The bundle that serves it is loaded, and when
    /// only the catalog has it, installed, before.
    ///
    /// - Returns: what became of it.
    /// - Throws: ``AtriumError`` with code `routeUnknown` (nearest address included), `routeKind`, `exposureDenied`,
    ///   `routeDenied`, `routeCycle`, `chainTooLong`, `deadlineExceeded`, and whatever installing, loading or the bundle
    ///   itself throws.
    @discardableResult
    func open(
        _ uri: ResourceURI, userInfo: ActionParameters, presentation: Presentation
    ) async throws -> RouteOutcome

    /// The object behind an address. Never shows anything.
    ///
    /// - Throws: as ``open(_:userInfo:presentation:)``; `routeKind` for the address of a page or handler.
    func object(for uri: ResourceURI, userInfo: ActionParameters) async throws -> any Sendable

    /// Returns whether a page or handler route takes the address, asked by whose router this is: true exactly when
    /// ``open(_:userInfo:presentation:)`` gets as far as the interceptors before that route.
    ///
    /// A route of a bundle that only the catalog has counts, unless it is known without unpacking that the bundle cannot be
    /// installed; a package that turns out to be damaged, or a disk to be full, is what opening alone finds. A fallback
    /// does not count: what it answers is an address that nobody serves, and opening reports it as unhandled. Whoever wants
    /// it to count registers a route, such as `**`.
    ///
    /// Installs nothing, and loads only a bundle whose matching route declares that it may decline.
    func canOpen(_ uri: ResourceURI) async -> Bool

    /// Adds a route in code, under the lease of whose router this is: when its bundle goes, the route goes.
    ///
    /// - Throws: ``AtriumError`` with code `patternMalformed`, `routeConflict` or `bundleUnavailable`.
    func register(
        _ pattern: String, kind: RouteKind, options: RouteOptions, handler: @escaping RouteHandler
    ) async throws

    /// Puts an interceptor in front of the routes of the bundle whose router this is, under its lease: of the one with
    /// that pattern, or of all.
    ///
    /// - Throws: ``AtriumError`` with code `patternMalformed` or `bundleUnavailable`.
    func intercept(_ pattern: String?, by interceptor: any RouteInterceptor) async throws

    /// The address that a pattern matches with these captures: what matching takes apart, put together.
    ///
    /// - Parameters:
    ///   - pattern: the pattern; one without scheme gets `scheme`.
    ///   - parts: the captures and the query.
    ///   - scheme: the scheme of the address, such as `app`; `nil` for an address without one.
    /// - Throws: ``AtriumError`` with code `patternMalformed`, `parameterMissing` for a capture that is not optional or a `*`,
    ///   `parameterType` for a text that there is no capture for, or that the capture does not take or would give back
    ///   differently, and `uriMalformed` for a scheme that is none. What is returned is matched by the pattern, with the
    ///   same captures.
    func address(of pattern: String, _ parts: AddressParts, scheme: String?) throws -> ResourceURI

    /// Takes back a route that the same owner added in code. Nothing happens when there is none.
    func unregister(_ pattern: String)
}

/// What a route in code does with a request.
public typealias RouteHandler = @Sendable (ResourceRequest) async throws -> Resource

/// How a page is shown.
@frozen
public enum Presentation: Sendable {
    /// On top of the stack; opening is done once it is there.
    case push
    /// Over everything, for a result; opening is done once it is dismissed.
    case modal
}

/// What became of an opened address.
@frozen
public enum RouteOutcome: Sendable {
    /// Its page is on the stack.
    case shown
    /// Its page was shown and dismissed with this value; `nil` when the user just left it.
    case dismissed((any Sendable)?)
    /// Its handler ran and returned this.
    case handled(any Sendable)
}

extension Routing {
    /// Adds a route in code that has no wishes beyond pattern and kind.
    ///
    /// - Throws: as ``register(_:kind:options:handler:)``.
    public func register(_ pattern: String, kind: RouteKind, handler: @escaping RouteHandler) async throws {
        try await register(pattern, kind: kind, options: RouteOptions(), handler: handler)
    }

    /// Opens the address that `text` spells.
    ///
    /// - Throws: as ``open(_:userInfo:presentation:)``, and `uriMalformed`.
    @discardableResult
    public func open(
        _ text: String, userInfo: ActionParameters = [:], presentation: Presentation = .push
    ) async throws -> RouteOutcome {
        try await open(ResourceURI(text), userInfo: userInfo, presentation: presentation)
    }

    /// The object behind the address that `text` spells, as a `T`.
    ///
    /// - Throws: as ``object(for:userInfo:)``, and `uriMalformed` or `resultType`.
    public func object<T>(
        for text: String, userInfo: ActionParameters = [:], as type: T.Type = T.self
    ) async throws -> T {
        let object = try await object(for: ResourceURI(text), userInfo: userInfo)
        guard let typed = object as? T else {
            throw AtriumError(.resultType, text, detail: "\(T.self) is needed, not \(Swift.type(of: object))")
        }
        return typed
    }
}
