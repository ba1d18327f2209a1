// Capitalized, because a binding reads like a declaration; members of the delegate, because `Page` is also a protocol.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// A route of a plugin: a contract, bound to the closure that handles its requests.
///
/// Inside a principal object's `routes`, `Page`, `Object` and `Handler` create one. Methods add guards, a deadline, a priority, and the
/// choice to decline:
///
/// ```swift
/// final class Deals: BundleDelegate {
///     init(context: BundleContext) {}
///
///     static var routes: some RouteSet<Deals> {
///         Page(ShopRoutes.deals) { _ in DealsPage() }
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
    /// The reason why the contract cannot be bound in this way, or nil.
    let problem: String?
    /// Returns the types of the contract, for tools.
    let contract: @Sendable () -> BoundContract

    init<Input: Codable & Sendable, Output: Codable & Sendable>(
        _ contract: RouteContract<Input, Output>, as kind: RouteKind,
        _ serve: @escaping @MainActor @Sendable (Bundle, Input, ResourceRequest) async throws -> Resource
    ) {
        declaration = RouteDeclaration(pattern: contract.pattern, kind: kind, name: contract.name)
        self.serve = { bundle, request in try await serve(bundle, request.input(of: contract), request) }
        self.contract = { BoundContract(contract) }
        problem =
            contract.kind == kind
            ? nil : "its contract is of kind \(contract.kind.rawValue), but the code binds it as \(kind.rawValue)"
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

/// The routes of a principal object, each bound to a closure on the main actor.
extension BundleDelegate {
    /// Binds a page without input.
    public static func Page(
        _ contract: RouteContract<NoValue, NoValue>,
        _ make: @escaping @MainActor @Sendable (Self) async throws -> any Page
    ) -> RouteBinding<Self> {
        RouteBinding(contract, as: .page) { bundle, _, _ in .page(try await make(bundle)) }
    }

    /// Binds a page.
    public static func Page<Input: Codable & Sendable>(
        _ contract: RouteContract<Input, NoValue>,
        _ make: @escaping @MainActor @Sendable (Self, Input) async throws -> any Page
    ) -> RouteBinding<Self> {
        RouteBinding(contract, as: .page) { bundle, input, _ in .page(try await make(bundle, input)) }
    }

    /// Binds a page that needs the whole request, such as its user info or its origin.
    public static func Page<Input: Codable & Sendable>(
        _ contract: RouteContract<Input, NoValue>,
        _ make: @escaping @MainActor @Sendable (Self, Input, ResourceRequest) async throws -> any Page
    ) -> RouteBinding<Self> {
        RouteBinding(contract, as: .page) { .page(try await make($0, $1, $2)) }
    }

    /// Binds an object without input.
    public static func Object<Output: Codable & Sendable>(
        _ contract: RouteContract<NoValue, Output>,
        _ make: @escaping @MainActor @Sendable (Self) async throws -> Output
    ) -> RouteBinding<Self> {
        RouteBinding(contract, as: .object) { bundle, _, _ in try .output(of: contract, await make(bundle)) }
    }

    /// Binds an object.
    public static func Object<Input: Codable & Sendable, Output: Codable & Sendable>(
        _ contract: RouteContract<Input, Output>,
        _ make: @escaping @MainActor @Sendable (Self, Input) async throws -> Output
    ) -> RouteBinding<Self> {
        RouteBinding(contract, as: .object) { bundle, input, _ in try .output(of: contract, await make(bundle, input)) }
    }

    /// Binds an object that needs the whole request, such as its user info or its origin.
    public static func Object<Input: Codable & Sendable, Output: Codable & Sendable>(
        _ contract: RouteContract<Input, Output>,
        _ make: @escaping @MainActor @Sendable (Self, Input, ResourceRequest) async throws -> Output
    ) -> RouteBinding<Self> {
        RouteBinding(contract, as: .object) { try .output(of: contract, await make($0, $1, $2)) }
    }

    /// Binds a handler without input.
    @_disfavoredOverload
    public static func Handler<Output: Codable & Sendable>(
        _ contract: RouteContract<NoValue, Output>,
        _ run: @escaping @MainActor @Sendable (Self) async throws -> Output
    ) -> RouteBinding<Self> {
        RouteBinding(contract, as: .handler) { bundle, _, _ in try .output(of: contract, await run(bundle)) }
    }

    /// Binds a handler.
    @_disfavoredOverload
    public static func Handler<Input: Codable & Sendable, Output: Codable & Sendable>(
        _ contract: RouteContract<Input, Output>,
        _ run: @escaping @MainActor @Sendable (Self, Input) async throws -> Output
    ) -> RouteBinding<Self> {
        RouteBinding(contract, as: .handler) { bundle, input, _ in try .output(of: contract, await run(bundle, input)) }
    }

    /// Binds a handler that needs the whole request, such as its user info or its origin.
    @_disfavoredOverload
    public static func Handler<Input: Codable & Sendable, Output: Codable & Sendable>(
        _ contract: RouteContract<Input, Output>,
        _ run: @escaping @MainActor @Sendable (Self, Input, ResourceRequest) async throws -> Output
    ) -> RouteBinding<Self> {
        RouteBinding(contract, as: .handler) { try .output(of: contract, await run($0, $1, $2)) }
    }

    /// Binds a handler without input and result.
    public static func Handler(
        _ contract: RouteContract<NoValue, NoValue>,
        _ run: @escaping @MainActor @Sendable (Self) async throws -> Void
    ) -> RouteBinding<Self> {
        RouteBinding(contract, as: .handler) { bundle, _, _ in .object(try await run(bundle)) }
    }

    /// Binds a handler without result.
    public static func Handler<Input: Codable & Sendable>(
        _ contract: RouteContract<Input, NoValue>,
        _ run: @escaping @MainActor @Sendable (Self, Input) async throws -> Void
    ) -> RouteBinding<Self> {
        RouteBinding(contract, as: .handler) { bundle, input, _ in .object(try await run(bundle, input)) }
    }

    /// Binds a handler without result that needs the whole request, such as its user info or its origin.
    public static func Handler<Input: Codable & Sendable>(
        _ contract: RouteContract<Input, NoValue>,
        _ run: @escaping @MainActor @Sendable (Self, Input, ResourceRequest) async throws -> Void
    ) -> RouteBinding<Self> {
        RouteBinding(contract, as: .handler) { .object(try await run($0, $1, $2)) }
    }
}
