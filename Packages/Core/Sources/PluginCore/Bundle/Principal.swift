/// The principal object of a started bundle, as its host calls it.
///
/// A host gets one from ``PrincipalType/start(_:)``. It finds the binding for each request and runs its closure.
public struct Principal: Sendable {
    /// The principal object.
    public let object: any AnyObject & Sendable
    private let acceptsBody: @MainActor @Sendable (ResourceRequest) async -> Bool
    private let resourceBody: RouteHandlerOnMain
    private let targetBody: @MainActor @Sendable (String) -> ActionTarget?
    private let unloadBody: @MainActor @Sendable () async -> Void

    /// A closure that serves a request on the main actor.
    public typealias RouteHandlerOnMain = @MainActor @Sendable (ResourceRequest) async throws -> Resource

    /// Creates a principal from closures. Tests of hosts call this.
    ///
    /// - Parameters:
    ///   - object: The object that the closures belong to.
    ///   - accepts: Returns whether a route that may decline accepts a request.
    ///   - resource: Serves a request.
    ///   - target: Returns the target with a name.
    public init(
        _ object: any AnyObject & Sendable,
        accepts: @escaping @MainActor @Sendable (ResourceRequest) async -> Bool = { _ in true },
        resource: @escaping RouteHandlerOnMain,
        target: @escaping @MainActor @Sendable (String) -> ActionTarget? = { _ in nil }
    ) {
        self.object = object
        acceptsBody = accepts
        resourceBody = resource
        targetBody = target
        unloadBody = {}
    }

    /// Creates the principal of a plugin's object. Tests of plugins call this; a host calls ``PrincipalType/start(_:)``.
    @MainActor
    public init<Bundle: BundleDelegate>(_ bundle: Bundle) {
        let routes = Dictionary(Bundle.routes.bindings.map { ($0.name, $0) }) { first, _ in first }
        let actions = Dictionary(grouping: Bundle.targets.bindings, by: \.target)
        object = bundle
        acceptsBody = { await routes[$0.name]?.accept?(bundle, $0) ?? true }
        resourceBody = { request in
            guard let route = routes[request.name] else {
                throw Principal.unknown(request, nearest: Nearest.words(to: request.name, in: routes.keys.sorted()))
            }
            return try await route.serve(bundle, request)
        }
        targetBody = { name in actions[name].map { ActionTarget(name, of: bundle, $0) } }
        unloadBody = { await bundle.bundleWillUnload() }
    }

    /// Returns whether the bundle accepts a request for a route that may decline.
    @MainActor
    public func accepts(_ request: ResourceRequest) async -> Bool { await acceptsBody(request) }

    /// Returns the page or object for a request, or runs its handler.
    ///
    /// - Throws: ``AtriumError`` with code `resourceUnknown` for a name that the bundle does not declare, and the errors of the route.
    @MainActor
    public func resource(for request: ResourceRequest) async throws -> Resource { try await resourceBody(request) }

    /// Returns the target with a name, or nil if the bundle declares none.
    @MainActor
    public func target(named name: String) -> ActionTarget? { targetBody(name) }

    /// Prepares the bundle for being replaced or removed.
    @MainActor
    public func bundleWillUnload() async { await unloadBody() }

    private static func unknown(_ request: ResourceRequest, nearest: [String]) -> AtriumError {
        AtriumError(.resourceUnknown, request.name, detail: "asked for by \(request.uri)", nearest: nearest)
    }
}

extension ActionTarget {
    /// Creates a target from the actions that a plugin binds to it.
    fileprivate init<Bundle: AnyObject & Sendable>(
        _ name: String, of bundle: Bundle, _ bindings: [ActionBinding<Bundle>]
    ) {
        var actions: [Action] = []
        var notFound: NotFound?
        for binding in bindings {
            switch binding.body {
            case .action(let name, let perform): actions.append(Action(name) { try await perform(bundle, $0) })
            case .unknown(let perform): notFound = { try await perform(bundle, $0, $1) }
            }
        }
        self.init(name, actions: actions, notFound: notFound)
    }
}
