/// The principal object of a plugin bundle: the host's only entry point into the loaded library.
///
/// The host creates one per load, on the main actor, before it uses anything else of the bundle. Every requirement except `init` has a
/// default implementation, so the smallest principal object is:
///
/// ```swift
/// final class Hello: BundleDelegate {
///     init() {}
/// }
/// ```
@MainActor
public protocol BundleDelegate: AnyObject, Sendable {
    /// Creates the principal object. Implementations should do no work, because there is no context yet.
    init()

    /// Starts the bundle. The bundle can register routes, services and observers through the context.
    ///
    /// - Throws: Any error; the host then does not load the bundle.
    func bundleDidLoad(_ context: BundleContext) async throws

    /// Returns whether the bundle accepts a request for a route that the manifest marks as one that may decline.
    ///
    /// The host may call this without opening the address afterward, so it must not have side effects.
    func accepts(_ request: ResourceRequest) async -> Bool

    /// Returns the page or object for one of the routes that the manifest declares, or runs its handler.
    ///
    /// - Throws: Any error; ``AtriumError`` with code `resourceUnknown` for a name that the bundle does not know.
    func resource(for request: ResourceRequest) async throws -> Resource

    /// Returns one of the targets that the manifest declares.
    ///
    /// - Returns: `nil` for a name that the bundle does not know.
    func target(named name: String) -> ActionTarget?

    /// Prepares the bundle for being replaced or removed. Its registrations have already been removed.
    func bundleWillUnload() async
}

extension BundleDelegate {
    /// Does nothing.
    public func bundleDidLoad(_ context: BundleContext) async throws {}

    /// Accepts every request.
    public func accepts(_ request: ResourceRequest) async -> Bool { true }

    /// Throws an error for every name.
    public func resource(for request: ResourceRequest) async throws -> Resource {
        throw AtriumError(.resourceUnknown, request.name, detail: "asked for by \(request.uri)")
    }

    /// Returns no target.
    public func target(named name: String) -> ActionTarget? { nil }

    /// Does nothing.
    public func bundleWillUnload() async {}
}
