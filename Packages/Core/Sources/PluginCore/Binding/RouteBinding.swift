// Capitalized, because a binding reads like a declaration.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// A route of a plugin: a contract, bound to the closure that handles its requests.
///
/// Inside a principal object's `routes`, `Route` creates one. Methods add guards, a deadline, a priority, and the
/// choice to decline:
///
/// ```swift
/// final class Deals: BundleDelegate {
///     init(context: BundleContext) {}
///
///     static var routes: some RouteSet<Deals> {
///         Route(ShopRoutes.deals) { _ in DealsPage() }
///             .guarded(by: AccountActions.requireSignIn)
///             .deadline(.seconds(5))
///             .accepting { _, request in request.uri.parameters["season"] != "winter" }
///     }
/// }
/// ```
///
/// `bundletool pack` writes the route with its guards, deadline, priority and choice to decline into the package's manifest, so a host knows
/// them before it loads the code. The callers that may open the route are decided in the author's manifest alone (`exposure`).
public struct RouteBinding<Bundle: AnyObject & Sendable>: Sendable {
    /// A closure that returns the page or object for a request, or runs the handler.
    typealias Serve = @MainActor @Sendable (Bundle, ResourceRequest) async throws -> Resource
    /// A closure that returns whether the route accepts a request.
    public typealias Accept = @MainActor @Sendable (Bundle, ResourceRequest) async -> Bool

    /// The route as a manifest declares it.
    private(set) var declaration: RouteDeclaration
    private(set) var accept: Accept?
    let serve: Serve
    /// Returns the types of the contract, for tools.
    let contract: @Sendable () -> BoundContract

    init<Contract: RouteContract>(
        _ contract: Contract,
        _ serve: @escaping @MainActor @Sendable (Bundle, Contract.Input, ResourceRequest) async throws -> Resource
    ) {
        declaration = RouteDeclaration(pattern: contract.pattern, kind: Contract.kind, name: contract.route.name)
        self.serve = { bundle, request in try await serve(bundle, contract.input(of: request), request) }
        self.contract = { BoundContract(contract) }
    }

    var name: String { declaration.name }

    /// Returns the route with a check: a request is declined if the closure returns false, and goes to the next matching route.
    ///
    /// The host may call the closure without opening the address afterward, so it must not have side effects.
    public func accepting(_ accept: @escaping Accept) -> RouteBinding {
        changed { binding in
            binding.accept = accept
            binding.declaration.mayDecline = true
        }
    }

    /// Returns the route with one more action that must answer true before the route serves a request.
    ///
    /// The action receives the address as `uri` and may take its time, for example to present a sign-in page.
    public func guarded<Input: Codable & Sendable>(by action: ActionContract<Input, Bool>) -> RouteBinding {
        changed { $0.declaration.guards.append("\(action.target).\(action.name)") }
    }

    /// Returns the route with a deadline for serving a request. Without one, the host's deadline applies.
    public func deadline(_ limit: Duration) -> RouteBinding {
        changed { $0.declaration.deadline = limit / .seconds(1) }
    }

    /// Returns the route with a priority. Of several matching routes, the one with the highest priority is tried first.
    public func priority(_ priority: Int) -> RouteBinding { changed { $0.declaration.priority = priority } }

    private func changed(_ change: (inout RouteBinding) -> Void) -> RouteBinding {
        var copy = self
        change(&copy)
        return copy
    }
}

/// The routes of a principal object, each bound to a closure on the main actor. The closure returns a page for a
/// ``PageRoute``, and otherwise the output.
extension BundleDelegate {
    /// Binds a route without input.
    @_disfavoredOverload
    public static func Route<Contract: RouteContract>(
        _ contract: Contract, _ serve: @escaping @MainActor @Sendable (Self) async throws -> Contract.Answer
    ) -> RouteBinding<Self> where Contract.Input == NoValue {
        RouteBinding(contract) { bundle, _, _ in try Contract.resource(of: await serve(bundle)) }
    }

    /// Binds a route.
    @_disfavoredOverload
    public static func Route<Contract: RouteContract>(
        _ contract: Contract,
        _ serve: @escaping @MainActor @Sendable (Self, Contract.Input) async throws -> Contract.Answer
    ) -> RouteBinding<Self> {
        RouteBinding(contract) { bundle, input, _ in try Contract.resource(of: await serve(bundle, input)) }
    }

    /// Binds a route that needs the whole request, such as its user info or its origin.
    @_disfavoredOverload
    public static func Route<Contract: RouteContract>(
        _ contract: Contract,
        _ serve: @escaping @MainActor @Sendable (Self, Contract.Input, ResourceRequest) async throws -> Contract.Answer
    ) -> RouteBinding<Self> {
        RouteBinding(contract) { try Contract.resource(of: await serve($0, $1, $2)) }
    }

    /// Binds a handler without input and result.
    public static func Route(
        _ contract: HandlerRoute<NoValue, NoValue>, _ run: @escaping @MainActor @Sendable (Self) async throws -> Void
    ) -> RouteBinding<Self> {
        RouteBinding(contract) { bundle, _, _ in .object(try await run(bundle)) }
    }

    /// Binds a handler without result.
    public static func Route<Input: Codable & Sendable>(
        _ contract: HandlerRoute<Input, NoValue>,
        _ run: @escaping @MainActor @Sendable (Self, Input) async throws -> Void
    ) -> RouteBinding<Self> {
        RouteBinding(contract) { bundle, input, _ in .object(try await run(bundle, input)) }
    }

    /// Binds a handler without result that needs the whole request, such as its user info or its origin.
    public static func Route<Input: Codable & Sendable>(
        _ contract: HandlerRoute<Input, NoValue>,
        _ run: @escaping @MainActor @Sendable (Self, Input, ResourceRequest) async throws -> Void
    ) -> RouteBinding<Self> {
        RouteBinding(contract) { .object(try await run($0, $1, $2)) }
    }
}
