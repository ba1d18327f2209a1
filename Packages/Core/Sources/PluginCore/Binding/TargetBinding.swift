// Capitalized like the bindings of routes.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// An action of a plugin: a contract, bound to the closure that performs it.
///
/// Inside a principal object's `targets`, `Action` and `UnknownAction` create one. The actions with the same target form that target.
public struct ActionBinding<Bundle: AnyObject & Sendable>: Sendable {
    /// The closure of an action, or of all actions that a target does not have.
    enum Body: Sendable {
        case action(name: String, @Sendable (Bundle, ActionParameters) async throws -> any Sendable)
        case unknown(@Sendable (Bundle, String, ActionParameters) async throws -> any Sendable)
    }

    let target: String
    let body: Body
    /// Returns the parameters of the input, or nil for a closure that handles unknown actions.
    var input: (@Sendable () -> InputDeclaration)?

    /// The action's name, or nil for a closure that handles unknown actions.
    var name: String? {
        if case .action(let name, _) = body { name } else { nil }
    }
}

/// A service of a plugin: a contract, bound to the closure that creates an instance.
///
/// Inside a principal object's `services`, `Service` creates one.
public struct ServiceBinding<Bundle: AnyObject & Sendable>: Sendable {
    let name: String
    let policy: ServicePolicy
    let make: @Sendable (Bundle) async throws -> any Sendable
}

extension BundleDelegate {
    /// Binds a service.
    ///
    /// ```swift
    /// final class OrdersBundle: BundleDelegate {
    ///     let book = OrderBook()
    ///
    ///     init(context: BundleContext) {}
    ///
    ///     static var services: some ServiceSet<OrdersBundle> {
    ///         Service(OrdersServices.spending) { orders in { try orders.book.spending() } }
    ///     }
    /// }
    /// ```
    public static func Service<Value>(
        _ contract: ServiceContract<Value>, policy: ServicePolicy = .perBundle,
        _ make: @escaping @Sendable (Self) async throws -> Value
    ) -> ServiceBinding<Self> {
        ServiceBinding(name: contract.name, policy: policy) { try await make($0) }
    }
}

/// The actions of a principal object, each bound to a closure.
///
/// An action runs in the isolation of its closure. One that uses the principal object's state, which is on the main actor, awaits it.
extension BundleDelegate {
    /// Binds an action without input.
    @_disfavoredOverload
    public static func Action<Output: Sendable>(
        _ contract: ActionContract<NoValue, Output>,
        _ perform: @escaping @Sendable (Self) async throws -> Output
    ) -> ActionBinding<Self> {
        bind(contract) { bundle, _ in try await perform(bundle) }
    }

    /// Binds an action.
    @_disfavoredOverload
    public static func Action<Input: Codable & Sendable, Output: Sendable>(
        _ contract: ActionContract<Input, Output>,
        _ perform: @escaping @Sendable (Self, Input) async throws -> Output
    ) -> ActionBinding<Self> {
        bind(contract) { bundle, parameters in try await perform(bundle, contract.input(of: parameters)) }
    }

    /// Binds an action that needs all parameters, such as a closure of the caller.
    @_disfavoredOverload
    public static func Action<Input: Codable & Sendable, Output: Sendable>(
        _ contract: ActionContract<Input, Output>,
        _ perform: @escaping @Sendable (Self, Input, ActionParameters) async throws -> Output
    ) -> ActionBinding<Self> {
        bind(contract) { bundle, parameters in try await perform(bundle, contract.input(of: parameters), parameters) }
    }

    /// Binds an action without input and result.
    public static func Action(
        _ contract: ActionContract<NoValue, NoValue>,
        _ perform: @escaping @Sendable (Self) async throws -> Void
    ) -> ActionBinding<Self> {
        bind(contract) { bundle, _ in
            try await perform(bundle)
            return NoValue()
        }
    }

    /// Binds an action without result.
    public static func Action<Input: Codable & Sendable>(
        _ contract: ActionContract<Input, NoValue>,
        _ perform: @escaping @Sendable (Self, Input) async throws -> Void
    ) -> ActionBinding<Self> {
        bind(contract) { bundle, parameters in
            try await perform(bundle, contract.input(of: parameters))
            return NoValue()
        }
    }

    /// Binds an action without result that needs all parameters, such as a closure of the caller.
    public static func Action<Input: Codable & Sendable>(
        _ contract: ActionContract<Input, NoValue>,
        _ perform: @escaping @Sendable (Self, Input, ActionParameters) async throws -> Void
    ) -> ActionBinding<Self> {
        bind(contract) { bundle, parameters in
            try await perform(bundle, contract.input(of: parameters), parameters)
            return NoValue()
        }
    }

    /// Binds a closure that handles the actions that a target does not have, given their names.
    public static func UnknownAction(
        of target: String,
        _ perform: @escaping @Sendable (Self, String, ActionParameters) async throws -> any Sendable
    ) -> ActionBinding<Self> {
        ActionBinding(target: target, body: .unknown(perform))
    }

    private static func bind<Input: Codable & Sendable, Output: Sendable>(
        _ contract: ActionContract<Input, Output>,
        _ perform: @escaping @Sendable (Self, ActionParameters) async throws -> Output
    ) -> ActionBinding<Self> {
        ActionBinding(
            target: contract.target,
            body: .action(name: contract.name) { bundle, parameters in
                try contract.encoded(await perform(bundle, parameters))
            }, input: { InputDeclaration(of: contract) })
    }
}
