// Capitalized like the bindings of routes.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// An action of a plugin: a contract, bound to the closure that performs it.
///
/// Inside a principal object's `targets`, `Action` and `UnknownAction` create one. The actions with the same target form that target.
public struct ActionBinding<Bundle: AnyObject & Sendable>: Sendable {
    let target: String
    /// The action's name, or nil for a closure that handles all actions that the target does not have.
    let name: String?
    /// Performs the action of a name.
    let perform: @Sendable (Bundle, String, ActionParameters) async throws -> any Sendable
    /// Returns the types of the contract, or nil for a closure that handles unknown actions.
    var contract: (@Sendable () -> BoundContract)?
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
        bind(contract) { bundle, _, _ in try await perform(bundle) }
    }

    /// Binds an action.
    @_disfavoredOverload
    public static func Action<Input: Codable & Sendable, Output: Sendable>(
        _ contract: ActionContract<Input, Output>,
        _ perform: @escaping @Sendable (Self, Input) async throws -> Output
    ) -> ActionBinding<Self> {
        bind(contract) { bundle, input, _ in try await perform(bundle, input) }
    }

    /// Binds an action that needs all parameters, such as a closure of the caller.
    @_disfavoredOverload
    public static func Action<Input: Codable & Sendable, Output: Sendable>(
        _ contract: ActionContract<Input, Output>,
        _ perform: @escaping @Sendable (Self, Input, ActionParameters) async throws -> Output
    ) -> ActionBinding<Self> {
        bind(contract, perform)
    }

    /// Binds an action without input and result.
    public static func Action(
        _ contract: ActionContract<NoValue, NoValue>,
        _ perform: @escaping @Sendable (Self) async throws -> Void
    ) -> ActionBinding<Self> {
        bind(contract) { bundle, _, _ in NoValue(after: try await perform(bundle)) }
    }

    /// Binds an action without result.
    public static func Action<Input: Codable & Sendable>(
        _ contract: ActionContract<Input, NoValue>,
        _ perform: @escaping @Sendable (Self, Input) async throws -> Void
    ) -> ActionBinding<Self> {
        bind(contract) { bundle, input, _ in NoValue(after: try await perform(bundle, input)) }
    }

    /// Binds an action without result that needs all parameters, such as a closure of the caller.
    public static func Action<Input: Codable & Sendable>(
        _ contract: ActionContract<Input, NoValue>,
        _ perform: @escaping @Sendable (Self, Input, ActionParameters) async throws -> Void
    ) -> ActionBinding<Self> {
        bind(contract) { NoValue(after: try await perform($0, $1, $2)) }
    }

    /// Binds a closure that handles the actions that a target does not have, given their names.
    public static func UnknownAction(
        of target: String,
        _ perform: @escaping @Sendable (Self, String, ActionParameters) async throws -> any Sendable
    ) -> ActionBinding<Self> {
        ActionBinding(target: target, name: nil, perform: perform)
    }

    private static func bind<Input: Codable & Sendable, Output: Sendable>(
        _ contract: ActionContract<Input, Output>,
        _ perform: @escaping @Sendable (Self, Input, ActionParameters) async throws -> Output
    ) -> ActionBinding<Self> {
        ActionBinding(
            target: contract.target, name: contract.name,
            perform: { bundle, _, parameters in
                try contract.encoded(await perform(bundle, contract.input(of: parameters), parameters))
            }, contract: { BoundContract(contract) })
    }
}

extension NoValue {
    /// The result of an action without one, once it has ended.
    fileprivate init(after end: Void) {}
}

/// A list of bindings, as a result builder creates it.
public protocol BindingSet<Binding>: Sendable {
    /// A contract together with the closure that fulfills it.
    associatedtype Binding: Sendable

    /// The bindings, in the order of the source.
    var bindings: [Binding] { get }
}

/// The routes of a plugin, by the type of its principal object.
public typealias RouteSet<Bundle: AnyObject & Sendable> = BindingSet<RouteBinding<Bundle>>

/// The actions of a plugin's targets, by the type of its principal object.
public typealias TargetSet<Bundle: AnyObject & Sendable> = BindingSet<ActionBinding<Bundle>>

/// The services of a plugin, by the type of its principal object.
public typealias ServiceSet<Bundle: AnyObject & Sendable> = BindingSet<ServiceBinding<Bundle>>

/// The bindings that a result builder has collected.
public struct BindingList<Binding: Sendable>: BindingSet {
    /// The bindings, in the order of the source.
    public let bindings: [Binding]
}

/// Builds the routes, targets and services of a plugin from one binding per line.
@resultBuilder
public enum BindingBuilder<Binding: Sendable> {
    /// Takes one binding.
    public static func buildExpression(_ binding: Binding) -> [Binding] { [binding] }

    /// Joins the lines of a block.
    public static func buildBlock(_ lines: [Binding]...) -> [Binding] { joined(lines) }

    /// Takes the bindings of an `if` without `else`.
    public static func buildOptional(_ bindings: [Binding]?) -> [Binding] { bindings ?? [] }

    /// Takes the bindings of the first branch.
    public static func buildEither(first bindings: [Binding]) -> [Binding] { bindings }

    /// Takes the bindings of the second branch.
    public static func buildEither(second bindings: [Binding]) -> [Binding] { bindings }

    /// Joins the bindings of a loop.
    public static func buildArray(_ rounds: [[Binding]]) -> [Binding] { joined(rounds) }

    private static func joined(_ lists: [[Binding]]) -> [Binding] {
        var bindings: [Binding] = []
        for list in lists.indices { lists[list].forEachBinding { bindings.append($0) } }
        return bindings
    }

    /// Returns the finished list.
    public static func buildFinalResult(_ bindings: [Binding]) -> BindingList<Binding> {
        BindingList(bindings: bindings)
    }
}

extension Array {
    /// Calls a closure with each element, like `forEach`.
    ///
    /// At the first use of a `Sequence` algorithm with a type of a plugin, the Swift runtime searches the conformances of all loaded images.
    /// That takes longer than the rest of a plugin's start.
    func forEachBinding(_ body: (Element) -> Void) {
        for index in indices { body(self[index]) }
    }

    /// Returns the first element that satisfies a condition, in the same way.
    func firstBinding(where isMeant: (Element) -> Bool) -> Element? {
        for index in indices where isMeant(self[index]) { return self[index] }
        return nil
    }
}

/// Builds the list of a plugin's events, or of its extension points, from one per line.
@resultBuilder
public enum DeclarationBuilder {
    /// Takes one event.
    public static func buildExpression<Payload>(_ event: Event<Payload>) -> EventDeclaration { event.declaration }

    /// Joins the lines.
    public static func buildBlock<Declaration>(_ lines: Declaration...) -> [Declaration] { lines }
}
