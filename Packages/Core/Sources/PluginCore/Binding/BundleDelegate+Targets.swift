// Capitalized like the bindings of routes.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

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
