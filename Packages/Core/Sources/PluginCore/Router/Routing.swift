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
    /// - Throws: ``AtriumError`` with code `routeUnknown` (nearest address included), `routeKind`, `routeDenied`, and
    ///   whatever installing, loading or the bundle itself throws.
    @discardableResult
    func open(
        _ uri: ResourceURI, userInfo: ActionParameters, presentation: Presentation
    ) async throws -> RouteOutcome

    /// The object behind an address. Never shows anything.
    ///
    /// - Throws: as ``open(_:userInfo:presentation:)``; `routeKind` for the address of a page or handler.
    func object(for uri: ResourceURI, userInfo: ActionParameters) async throws -> any Sendable

    /// Whether a page or handler route would take the address. Loads and installs nothing.
    func canOpen(_ uri: ResourceURI) async -> Bool

    /// Adds a route in code, under the lease of whose router this is: when its bundle goes, the route goes.
    ///
    /// - Throws: ``AtriumError`` with code `patternMalformed` or `routeConflict`.
    func register(_ pattern: String, kind: RouteKind, handler: @escaping RouteHandler) async throws

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
