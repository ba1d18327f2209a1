/// A mediator that calls actions of other bundles by name.
///
/// The bundle is found by the targets in its manifest, and loaded when the first call needs it. Callers use the contracts of a plugin's
/// Interface target: `try await context.call(AccountActions.isSignedIn)`.
public protocol Mediating: Sendable {
    /// Performs an action.
    ///
    /// - Returns: The result of the action, or `()` for an action without a result.
    /// - Throws: ``AtriumError`` with code `targetUnknown` or `actionUnknown`, with suggestions, and any error of loading the bundle and of
    ///   the action. A call that was not made always throws.
    @discardableResult
    func perform(
        _ action: String, on target: String, _ parameters: ActionParameters
    ) async throws -> any Sendable

    /// Performs the action of an address, such as app://Target/action?x=y, as an external caller.
    ///
    /// - Parameters:
    ///   - uri: The target as authority, the action as path, and the parameters as query.
    ///   - parameters: Values that an address cannot contain. They do not replace those of the address.
    /// - Throws: The errors of ``perform(_:on:_:)``, and `exposureDenied`, `requestTooLarge`, or `uriMalformed` for an address of another
    ///   form.
    @discardableResult
    func perform(_ uri: ResourceURI, _ parameters: ActionParameters) async throws -> any Sendable

    /// Removes a target from the mediator's cache until the next call needs it.
    ///
    /// The target's bundle remains loaded, and its principal object keeps its state. An action can reset that.
    func releaseTarget(named name: String)
}

extension Mediating {
    /// Performs an action without parameters.
    @discardableResult
    public func perform(_ action: String, on target: String) async throws -> any Sendable {
        try await perform(action, on: target, [:])
    }

    /// Performs an action and returns its result as a given type.
    ///
    /// - Throws: The errors of ``perform(_:on:_:)``, and ``AtriumError`` with code `resultType` for a result of another type.
    public func perform<R>(
        _ action: String, on target: String, _ parameters: ActionParameters = [:], returning type: R.Type
    ) async throws -> R {
        try OutputCoding.cast(await perform(action, on: target, parameters), "\(target).\(action)")
    }
}

/// A named group of actions that other bundles may call.
///
/// A plugin's targets are made of the actions that it binds in ``BundleDelegate/targets``. A host creates its own targets:
///
/// ```swift
/// ActionTarget("Clock", actions: [
///     Action("today") { _ in calendar.today },
/// ])
/// ```
public struct ActionTarget: Sendable {
    /// The name by which callers and the manifest refer to the target.
    public let name: String
    /// The closure that handles an action that doesn't exist, or nil to let the host throw an error.
    public let notFound: NotFound?
    private let actions: [String: Action]

    /// A closure that handles an unknown action, given its name and its parameters.
    public typealias NotFound = @Sendable (String, ActionParameters) async throws -> any Sendable

    /// Creates a target. Of several actions with one name, the last is used.
    public init(_ name: String, actions: [Action], notFound: NotFound? = nil) {
        self.notFound = notFound
        self.name = name
        self.actions = Dictionary(actions.map { ($0.name, $0) }) { _, last in last }
    }

    /// Returns the action with a name, or nil if there is none.
    public func action(_ name: String) -> Action? {
        actions[name]
    }

    /// The names of all actions, sorted.
    public var actionNames: [String] { actions.keys.sorted() }
}

/// An action of a target. It runs in the isolation of its closure; the mediator does not switch actors.
public struct Action: Sendable {
    /// A closure that performs an action. It returns a standard-library or Core value, or an empty tuple for no result.
    public typealias Body = @Sendable (ActionParameters) async throws -> any Sendable

    /// The name by which callers and the manifest refer to the action.
    public let name: String
    /// The closure that performs the action.
    public let body: Body

    /// Creates an action.
    public init(_ name: String, _ body: @escaping Body) {
        self.name = name
        self.body = body
    }

    /// Creates the action of a contract, with the contract's own types.
    public init<Input: Codable & Sendable, Output: Sendable>(
        _ contract: ActionContract<Input, Output>, _ body: @escaping @Sendable (Input) async throws -> Output
    ) {
        self.init(contract.name) { try contract.encoded(await body(contract.input(of: $0))) }
    }
}

/// Named values that are passed with an action or a route: standard-library and Core values, closures included.
///
/// The types of a plugin cannot be passed, because the receiver has no access to them.
///
/// ```swift
/// let parameters: ActionParameters = ["name": "Ann", "age": 30]
/// let age = try parameters.require("age", as: Int.self)
/// ```
public struct ActionParameters: Sendable, ExpressibleByDictionaryLiteral {
    /// The values by name.
    public let values: [String: any Sendable]

    /// Creates parameters from values by name.
    public init(_ values: [String: any Sendable] = [:]) {
        self.values = values
    }

    /// Creates parameters from the texts of an address. Of several with one name, the first is used.
    public init(_ texts: URIParameters) {
        self.init(Dictionary(texts.items.lazy.map { ($0.name, $0.value) }) { first, _ in first })
    }

    /// The names, sorted.
    public var names: [String] { values.keys.sorted() }

    /// Returns a value, or nil if it doesn't exist or has another type.
    public func value<T>(_ name: String, as type: T.Type = T.self) -> T? {
        values[name] as? T
    }

    /// Returns a value. A string that spells a value of the type is converted, because every value of a URL is a string.
    ///
    /// - Throws: ``AtriumError`` with code `parameterMissing` or `parameterType` and the name as subject.
    public func require<T>(_ name: String, as type: T.Type = T.self) throws(AtriumError) -> T {
        guard let value = values[name] else { throw .missing(name, expected: T.self) }
        if let typed = value as? T { return typed }
        guard let text = value as? String, let type = type as? any LosslessStringConvertible.Type,
            let typed = type.init(text) as? T
        else { throw .mistyped(name, expected: T.self, found: value) }
        return typed
    }

    /// Returns these values, extended by those of other parameters whose names do not occur here.
    public func merging(_ other: ActionParameters) -> ActionParameters {
        Self(values.merging(other.values) { mine, _ in mine })
    }

    /// Creates parameters from a dictionary literal. Of several values with one name, the last is used.
    public init(dictionaryLiteral elements: (String, any Sendable)...) {
        self.init(Dictionary(elements) { _, last in last })
    }
}

extension ActionParameters {
    /// Decodes the values into a structure whose properties have the names of the parameters.
    ///
    /// A string that spells a value of the property's type is converted, because every value of a URL is a string.
    ///
    /// ```swift
    /// struct Search: Decodable { var text: String; var page: Int?; var tags: [String] }
    /// let search = try request.decode(Search.self)    // shop/search?text=lamp&tags=red&tags=new
    /// ```
    ///
    /// - Throws: ``AtriumError`` with code `parameterMissing` or `parameterType`. Its subject is the parameter; its detail says which value
    ///   was found and which is needed.
    public func decode<T: Decodable>(_ type: T.Type = T.self) throws(AtriumError) -> T {
        try ParameterDecoder.decode(ParameterSource(self))
    }
}

extension ResourceRequest {
    /// Decodes captures, query and user info into one structure, with the precedence of the request's parameters.
    ///
    /// A list receives all values of a repeated query name. The property `rest` receives the segments that `**` matched, whatever name the
    /// pattern gives them.
    ///
    /// - Throws: The errors of ``ActionParameters/decode(_:)``.
    public func decode<T: Decodable>(_ type: T.Type = T.self) throws(AtriumError) -> T {
        try ParameterDecoder.decode(ParameterSource(self, names: nil))
    }
}
