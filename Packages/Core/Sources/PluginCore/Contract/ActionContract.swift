/// The declaration of an action that its callers and its provider share: the target, the name, the input and the output.
///
/// This is the twin of ``RouteContract`` for actions. A plugin's Interface target declares the contract once, and adds a one-line facade
/// to ``Mediating``. Inputs cross as named parameters, and outputs as those of routes do.
///
/// - A property of `Input` is the parameter of that name; an `Input` that is a single value is the parameter `value`. Supported values are
///   those that an address can contain, so the action can also be called by an address.
/// - `Output` is a coded type, or a standard-library or Core type that passes uncoded: a page, a closure.
/// - An input that cannot be coded, such as a closure, is passed as user info; the provider finds it in the parameters.
///
/// ```swift
/// public enum OrdersActions {
///     public static let place = ActionContract<OrderForm, Int>("place", on: "Orders")
///     public static let count = ActionContract<NoValue, Int>("count", on: "Orders")
/// }
///
/// let number = try await mediator.perform(OrdersActions.place, OrderForm(item: "Lamp", price: 1999))
/// ```
public struct ActionContract<Input: Sendable, Output: Sendable>: Sendable {
    /// The name of the action.
    public let name: String
    /// The name of its target.
    public let target: String
    private let encode: @Sendable (Output) throws(AtriumError) -> any Sendable
    private let decode: @Sendable (any Sendable, String) throws(AtriumError) -> Output

    /// Creates a contract for an action that returns a coded value, or `NoValue`.
    public init(_ name: String, on target: String) where Input: Codable, Output: Codable {
        self.name = name
        self.target = target
        encode = { value throws(AtriumError) in try OutputCoding.encode(value) }
        decode = { value, subject throws(AtriumError) in try OutputCoding.decode(value, as: Output.self, subject) }
    }

    /// Creates a contract for an action that returns a page.
    public init(_ name: String, on target: String) where Input: Codable, Output == any Page {
        self.init(uncoded: name, on: target)
    }

    /// Creates a contract for an action whose result passes as it is: a standard-library or Core value, such as a closure.
    public init(uncoded name: String, on target: String) where Input: Codable {
        self.name = name
        self.target = target
        encode = { $0 }
        decode = { value, subject throws(AtriumError) in
            if let output = value as? Output { return output }
            throw AtriumError(
                .resultType, subject,
                reason: .type(Output.self, found: Swift.type(of: value)))
        }
    }
}

extension ActionContract where Input: Codable {
    /// The parameter of an input that is a single value.
    private static var only: String { "value" }

    /// Returns the parameters for an input.
    ///
    /// - Throws: ``AtriumError`` with code `parameterType` and the parameter as subject, for a value that an address cannot contain.
    public func parameters(of input: Input) throws(AtriumError) -> ActionParameters {
        try ParameterEncoder.parameters(of: input, only: Self.only)
    }

    /// Decodes the input from the parameters of a call.
    ///
    /// - Throws: ``AtriumError`` with code `parameterMissing` or `parameterType`, as for ``RouteContract/input(of:)``.
    public func input(of parameters: ActionParameters) throws(AtriumError) -> Input {
        try ParameterDecoder.decode(Input.self, from: ParameterSource(parameters, only: Self.only))
    }

}

extension ActionContract {
    /// Returns an output in the form in which it passes to another plugin.
    func encoded(_ value: Output) throws(AtriumError) -> any Sendable { try encode(value) }

    /// Converts a value from another plugin to the contract's output.
    ///
    /// - Throws: ``AtriumError`` with code `resultType` and the action as subject.
    func output(_ value: any Sendable) throws(AtriumError) -> Output { try decode(value, "\(target).\(name)") }
}

extension Mediating {
    /// Performs the action of a contract.
    ///
    /// - Parameters:
    ///   - contract: The contract.
    ///   - input: The input.
    ///   - userInfo: Values that the input cannot contain, such as closures. They do not replace values of the input.
    /// - Throws: The errors of ``ActionContract/parameters(of:)`` and ``perform(_:on:_:)``; ``AtriumError`` with code `resultType` for a
    ///   result that is not an `Output`.
    @discardableResult
    public func perform<Input: Codable & Sendable, Output: Sendable>(
        _ contract: ActionContract<Input, Output>, _ input: Input, userInfo: ActionParameters = [:]
    ) async throws -> Output {
        let parameters = try contract.parameters(of: input).merging(userInfo)
        return try contract.output(await perform(contract.name, on: contract.target, parameters))
    }

    /// Performs the action of a contract without input.
    ///
    /// See ``perform(_:_:userInfo:)``.
    @discardableResult
    public func perform<Output: Sendable>(
        _ contract: ActionContract<NoValue, Output>, userInfo: ActionParameters = [:]
    ) async throws -> Output {
        try await perform(contract, NoValue(), userInfo: userInfo)
    }
}
