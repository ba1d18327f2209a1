/// The principal object of a started bundle, as its host calls it.
///
/// A host gets one from ``PrincipalType/start(_:)``. It finds the binding for each request and runs its closure.
public struct Principal: Sendable {
    /// The principal object.
    public let object: any AnyObject & Sendable
    /// Returns whether the bundle accepts a request for a route that may decline.
    public let accepts: @MainActor @Sendable (ResourceRequest) async -> Bool
    private let resourceBody: RouteHandlerOnMain
    private let targetBody: @MainActor @Sendable (String) -> ActionTarget?
    /// Prepares the bundle for being replaced or removed.
    public let bundleWillUnload: @MainActor @Sendable () async -> Void

    /// A closure that serves a request on the main actor.
    public typealias RouteHandlerOnMain = @MainActor @Sendable (ResourceRequest) async throws -> Resource

    /// Creates a principal from closures. Hosts of plugins in other processes and tests of hosts call this.
    ///
    /// - Parameters:
    ///   - object: The object that the closures belong to.
    ///   - accepts: Returns whether a route that may decline accepts a request.
    ///   - resource: Serves a request.
    ///   - target: Returns the target with a name.
    ///   - unload: Prepares the bundle for being replaced or removed.
    public init(
        _ object: any AnyObject & Sendable,
        accepts: @escaping @MainActor @Sendable (ResourceRequest) async -> Bool = { _ in true },
        resource: @escaping RouteHandlerOnMain,
        target: @escaping @MainActor @Sendable (String) -> ActionTarget? = { _ in nil },
        unload: @escaping @MainActor @Sendable () async -> Void = {}
    ) {
        self.object = object
        self.accepts = accepts
        resourceBody = resource
        targetBody = target
        bundleWillUnload = unload
    }

    /// Creates the principal of a plugin's object. Tests of plugins call this; a host calls ``PrincipalType/start(_:)``.
    @MainActor
    public init<Bundle: BundleDelegate>(_ bundle: Bundle) {
        // An array, because a dictionary of a new type takes longer to create than a search of a few routes. The targets are not needed yet.
        let routes = Bundle.routes.bindings
        object = bundle
        accepts = { request in
            await routes.firstBinding { $0.name == request.name }?.accept?(bundle, request) ?? true
        }
        resourceBody = { request in
            guard let route = routes.firstBinding(where: { $0.name == request.name }) else {
                throw AtriumError(
                    .resourceUnknown, request.name, reason: "requestedBy", ["address": "\(request.uri)"],
                    nearest: Nearest.words(to: request.name, in: routes.map(\.name).sorted()))
            }
            return try await route.serve(bundle, request)
        }
        targetBody = { ActionTarget($0, of: bundle, Bundle.targets.bindings) }
        bundleWillUnload = { await bundle.bundleWillUnload() }
    }

    /// Returns the page or object for a request, or runs its handler.
    ///
    /// - Throws: ``AtriumError`` with code `resourceUnknown` for a name that the bundle does not declare, and the errors of the route.
    @MainActor
    public func resource(for request: ResourceRequest) async throws -> Resource { try await resourceBody(request) }

    /// Returns the target with a name, or nil if the bundle declares none.
    @MainActor
    public func target(named name: String) -> ActionTarget? { targetBody(name) }
}

extension ActionTarget {
    /// Creates a target from those of a plugin's actions that are bound to it, or nil if there are none.
    fileprivate init?<Bundle: AnyObject & Sendable>(
        _ name: String, of bundle: Bundle, _ bindings: [ActionBinding<Bundle>]
    ) {
        var actions: [Action] = []
        var notFound: NotFound?
        bindings.forEachBinding { binding in
            guard binding.target == name else { return }
            if let name = binding.name {
                actions.append(Action(name) { try await binding.perform(bundle, name, $0) })
            } else {
                notFound = { try await binding.perform(bundle, $0, $1) }
            }
        }
        if actions.isEmpty, notFound == nil { return nil }
        self.init(name, actions: actions, notFound: notFound)
    }
}

/// The type of a plugin's principal object, which declares what the plugin provides and starts it.
public struct PrincipalType: Sendable {
    /// The class.
    public let type: any BundleDelegate.Type

    /// Creates a description of a class.
    public init(_ type: any BundleDelegate.Type) {
        self.type = type
    }

    /// The identity of the class, which differs between two loaded versions of a plugin.
    public var identity: ObjectIdentifier { ObjectIdentifier(type) }

    /// Everything that the class declares. No principal object is created for it.
    @MainActor
    public var declarations: BundleDeclarations { type.declarations }

    /// The contracts of routes and actions, whose types are not part of a manifest.
    @MainActor
    public var contracts: [BoundContract] { type.contracts }

    /// Creates the principal object and provides its services.
    ///
    /// - Throws: The errors of the object's `init`, and of ``ServiceRegistry/provide(_:policy:make:)``.
    @MainActor
    public func start(_ context: BundleContext) async throws -> Principal { try await type.start(context) }
}

extension BundleDelegate {
    fileprivate static var declarations: BundleDeclarations { BundleDeclarations(of: Self.self) }

    fileprivate static var contracts: [BoundContract] {
        routes.bindings.map { $0.contract() } + targets.bindings.compactMap { $0.contract?() }
    }

    fileprivate static func start(_ context: BundleContext) async throws -> Principal {
        let bundle = try await Self(context: context)
        let services = services.bindings
        for index in services.indices {
            let service = services[index]
            try await context.services.provide(service.name, policy: service.policy) {
                try await service.make(bundle)
            }
        }
        return Principal(bundle)
    }
}
