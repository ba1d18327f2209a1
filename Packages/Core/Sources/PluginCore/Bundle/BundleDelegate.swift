/// The principal object of a plugin bundle: what the host talks to once the bundle's library is loaded.
///
/// One is made per load, on the main actor, before anything else of the bundle is used. Everything but `init` has a
/// default, so the smallest principal is:
///
/// ```swift
/// final class Hello: BundleDelegate {
///     init() {}
/// }
/// ```
@MainActor
public protocol BundleDelegate: AnyObject, Sendable {
    /// Makes the principal. Does no work: there is no context yet.
    init()

    /// The bundle is loaded and may register routes through the context. Whatever it throws refuses the load.
    func bundleDidLoad(_ context: BundleContext) async throws

    /// Returns whether a route that the manifest declares with `mayDecline` takes a request. Must have no effect.
    func accepts(_ request: ResourceRequest) async -> Bool

    /// Serves one of the routes that the manifest declares.
    ///
    /// - Throws: anything; ``AtriumError`` with code `resourceUnknown` for a name the bundle does not know.
    func resource(for request: ResourceRequest) async throws -> Resource

    /// One of the targets that the manifest declares, or `nil` for a name the bundle does not know.
    func target(named name: String) -> ActionTarget?

    /// The bundle is about to be replaced or removed; its registrations are already gone.
    func bundleWillUnload() async
}

extension BundleDelegate {
    /// Nothing.
    public func bundleDidLoad(_ context: BundleContext) async throws {}

    /// Takes every request.
    public func accepts(_ request: ResourceRequest) async -> Bool { true }

    /// Refuses every name.
    public func resource(for request: ResourceRequest) async throws -> Resource {
        throw AtriumError(.resourceUnknown, request.name, detail: "asked for by \(request.uri)")
    }

    /// No targets.
    public func target(named name: String) -> ActionTarget? { nil }

    /// Nothing.
    public func bundleWillUnload() async {}
}
