/// The declaration of a route that its callers and its provider share: the pattern, the input and the output.
///
/// Its type is the kind of route: ``PageRoute``, ``ValueRoute`` or ``HandlerRoute``.
///
/// A plugin's Interface target declares the contract once. The caller creates an address from an `Input` and gets an `Output`; the plugin
/// that provides the route decodes the same `Input` from the request. Interface targets are linked into every caller, so neither type is
/// passed from one plugin to another: an `Input` is passed as its address, an `Output` as itself if it is a standard-library type, and
/// otherwise as a ``CodedValue``.
///
/// - A property of `Input` with the name of a capture becomes that capture, one with the name of the `**` is a list of its segments, and
///   all others become query items: a list becomes a repeated name, and an absent value is omitted.
/// - An `Input` that is a single value is the pattern's only capture or `**`.
/// - Supported values are strings, `Bool`, integers, finite floating-point numbers, `URL`, types that encode as one of those (enums with
///   raw values, `UUID`, `Date`), lists of them, and optionals of all these. Nested structures, nested lists, lists with `nil` elements and
///   empty optional lists are not supported.
///
/// ```swift
/// public struct ItemLink: Codable, Sendable {
///     public var id: Int
///     public var from: String?
/// }
///
/// public enum ShopRoutes {
///     public static let item = PageRoute<ItemLink>("shop/item/:id")
///     public static let price = ValueRoute<Int, Int>("shop/price/:id")
/// }
///
/// try await context.open(ShopRoutes.item, ItemLink(id: 42, from: "mail"))    // app://shop/item/42?from=mail
/// let cents = try await context.value(of: ShopRoutes.price, 42)
/// ```
public protocol RouteContract<Input, Output>: Sendable {
    /// The values in the address.
    associatedtype Input: Codable & Sendable
    /// The result of the route, ``NoValue`` for a page.
    associatedtype Output: Codable & Sendable

    /// The type that the code for a request returns: a page, or the output.
    associatedtype Answer: Sendable

    /// The kind of route.
    static var kind: RouteKind { get }

    /// The pattern, the name and the scheme.
    var route: ContractRoute { get }

    /// Returns an answer in the form in which it passes to another plugin.
    ///
    /// - Throws: ``AtriumError`` with code `resultType` for a value that cannot be encoded.
    static func resource(of answer: Answer) throws(AtriumError) -> Resource
}

/// The contract of a page.
public struct PageRoute<Input: Codable & Sendable>: RouteContract {
    /// A page has no output.
    public typealias Output = NoValue

    /// The kind of route.
    public static var kind: RouteKind { .page }
    /// Returns the page as a resource.
    public static func resource(of answer: any Page) -> Resource { .page(answer) }
    /// The pattern, the name and the scheme.
    public let route: ContractRoute

    /// Creates a contract; see ``ContractRoute/init(_:name:scheme:)``.
    public init(_ pattern: String, name: String? = nil, scheme: String? = "app") {
        route = ContractRoute(pattern, name: name, scheme: scheme)
    }
}

/// The contract of a route that answers with a value: a ``ValueRoute`` or a ``HandlerRoute``.
public protocol AnsweringRoute<Input, Output>: RouteContract where Answer == Output {}

extension AnsweringRoute {
    /// Returns the output in the form in which it passes to another plugin.
    ///
    /// - Throws: ``AtriumError`` with code `resultType` for a value that cannot be encoded.
    public static func resource(of answer: Output) throws(AtriumError) -> Resource {
        .object(try OutputCoding.encode(answer))
    }
}

/// The contract of a route that returns a value. Its kind in manifests is `object`.
public struct ValueRoute<Input: Codable & Sendable, Output: Codable & Sendable>: AnsweringRoute {
    /// The kind of route.
    public static var kind: RouteKind { .object }
    /// The pattern, the name and the scheme.
    public let route: ContractRoute

    /// Creates a contract; see ``ContractRoute/init(_:name:scheme:)``.
    public init(_ pattern: String, name: String? = nil, scheme: String? = "app") {
        route = ContractRoute(pattern, name: name, scheme: scheme)
    }
}

/// The contract of a route that does something when its address is opened, and may have a result.
public struct HandlerRoute<Input: Codable & Sendable, Output: Codable & Sendable>: AnsweringRoute {
    /// The kind of route.
    public static var kind: RouteKind { .handler }
    /// The pattern, the name and the scheme.
    public let route: ContractRoute

    /// Creates a contract; see ``ContractRoute/init(_:name:scheme:)``.
    public init(_ pattern: String, name: String? = nil, scheme: String? = "app") {
        route = ContractRoute(pattern, name: name, scheme: scheme)
    }
}

/// The pattern, the name and the scheme of a contract, without its types.
public struct ContractRoute: Sendable {
    /// The pattern of the addresses that the route matches.
    public let pattern: String
    /// The value of `page`, `handler` or `object` in the manifest, to which rules of `bundle.json` refer. By default, the pattern.
    public let name: String
    /// The scheme of created addresses if the pattern has none, or nil for addresses without a scheme.
    public let scheme: String?
    let names: PatternNames

    /// Creates the route of a contract.
    ///
    /// - Parameters:
    ///   - pattern: The pattern; see PluginRouter for its grammar.
    ///   - name: The name by which `bundle.json` refers to the route, by default the pattern.
    ///   - scheme: The scheme of created addresses if the pattern has none.
    public init(_ pattern: String, name: String? = nil, scheme: String? = "app") {
        (self.pattern, self.name, self.scheme) = (pattern, name ?? pattern, scheme)
        names = PatternNames(pattern)
    }

    /// The names of the pattern's captures, sorted.
    public var captureNames: [String] { names.captures.sorted() }

    /// The name of the pattern's double-star wildcard, or nil if it has none.
    public var restName: String? { names.rest }
}

extension RouteContract {
    /// The pattern of the addresses that the route matches.
    public var pattern: String { route.pattern }

    /// Converts a value from another plugin to the contract's output.
    ///
    /// - Throws: ``AtriumError`` with code `resultType` and the pattern as subject.
    func output(_ object: any Sendable) throws(AtriumError) -> Output { try OutputCoding.decode(object, pattern) }

    /// Returns the parts of the address for an input.
    ///
    /// - Throws: ``AtriumError`` with code `parameterType` and the parameter as subject, for a value that an address cannot contain.
    public func parts(of input: Input) throws(AtriumError) -> AddressParts {
        try ParameterEncoder.encode(input, only: route.names.only).parts(names: route.names)
    }

    /// Decodes the input from the address of a request. Captures take precedence over query items; user info is ignored.
    ///
    /// - Throws: ``AtriumError`` with code `parameterMissing` or `parameterType`. Its subject is the parameter; its detail says which value
    ///   was found and which is needed.
    public func input(of request: ResourceRequest) throws(AtriumError) -> Input {
        try ParameterDecoder.decode(ParameterSource(request, names: route.names))
    }
}

/// The declaration of an action that its callers and its provider share: the target, the name, the input and the output.
///
/// This is the twin of ``RouteContract`` for actions. A plugin's Interface target declares the contract once. Inputs cross as named parameters, and outputs as those of routes do.
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
/// let number = try await context.call(OrdersActions.place, OrderForm(item: "Lamp", price: 1999))
/// ```
public struct ActionContract<Input: Sendable, Output: Sendable>: Sendable {
    /// The name of the action.
    public let name: String
    /// The name of its target.
    public let target: String
    /// Returns an output in the form in which it passes to another plugin.
    let encoded: @Sendable (Output) throws(AtriumError) -> any Sendable
    /// Converts a value from another plugin to the contract's output, or throws `resultType` with the action as subject.
    let output: @Sendable (any Sendable) throws(AtriumError) -> Output

    /// Creates a contract for an action that returns a coded value, or `NoValue`.
    public init(_ name: String, on target: String) where Input: Codable, Output: Codable {
        self.name = name
        self.target = target
        encoded = { value throws(AtriumError) in try OutputCoding.encode(value) }
        output = { value throws(AtriumError) in try OutputCoding.decode(value, "\(target).\(name)") }
    }

    /// Creates a contract for an action that returns a page.
    public init(_ name: String, on target: String) where Input: Codable, Output == any Page {
        self.init(uncoded: name, on: target)
    }

    /// Creates a contract for an action whose result passes as it is: a standard-library or Core value, such as a closure.
    public init(uncoded name: String, on target: String) where Input: Codable {
        self.name = name
        self.target = target
        encoded = { $0 }
        output = { value throws(AtriumError) in try OutputCoding.cast(value, "\(target).\(name)") }
    }
}

extension ActionContract where Input: Codable {
    /// The parameter of an input that is a single value.
    private static var only: String { "value" }

    /// Returns the parameters for an input.
    ///
    /// - Throws: ``AtriumError`` with code `parameterType` and the parameter as subject, for a value that an address cannot contain.
    public func parameters(of input: Input) throws(AtriumError) -> ActionParameters {
        try ParameterEncoder.encode(input, only: Self.only).parameters
    }

    /// Decodes the input from the parameters of a call.
    ///
    /// - Throws: ``AtriumError`` with code `parameterMissing` or `parameterType`, as for ``RouteContract/input(of:)``.
    public func input(of parameters: ActionParameters) throws(AtriumError) -> Input {
        try ParameterDecoder.decode(ParameterSource(parameters, only: Self.only))
    }
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

/// The types of a contract to which a plugin has bound a closure, for tools that describe and compare contracts.
public struct BoundContract: Sendable {
    /// The pattern of a route, or an action as `Target.action`.
    public let subject: String
    /// The names of the captures that every address of the route contains.
    public let captures: Set<String>
    /// The type of the input.
    public let input: any (Decodable & Sendable).Type
    /// The type of the result, or nil for a route that shows a page.
    public let output: (any Sendable.Type)?

    /// A Boolean value that indicates whether the result passes to another plugin as it is, not coded.
    public var passesUncoded: Bool { output is any BoundaryValue.Type }

    /// Returns whether values of a type are texts in an address.
    public static func isText(_ type: Any.Type) -> Bool { type is any ParameterText.Type }

    init<Contract: RouteContract>(_ contract: Contract) {
        subject = contract.pattern
        captures = contract.route.names.captures.union([contract.route.names.rest].compactMap(\.self))
        input = Contract.Input.self
        output = Contract.kind == .page ? nil : Contract.Output.self
    }

    init<Input: Codable & Sendable, Output: Sendable>(_ contract: ActionContract<Input, Output>) {
        subject = "\(contract.target).\(contract.name)"
        captures = []
        input = Input.self
        output = Output.self
    }
}

/// The names in a route pattern, found without parsing the full grammar, which the router does.
struct PatternNames {
    private(set) var captures: Set<String> = []
    private(set) var rest: String?

    /// Finds the names of a pattern. The result for a malformed pattern may be incomplete.
    init(_ pattern: String) {
        func name(_ text: Substring.UTF8View) -> String? {
            let name = text.prefix(while: \.isNameByte)
            return name.isEmpty || name.first?.isASCIIDigit == true ? nil : String(Substring(name))
        }
        for piece in pattern.utf8.split(separator: .colon, omittingEmptySubsequences: false).dropFirst() {
            let isBraced = piece.first == UInt8(ascii: "{")
            if let name = name(piece.dropFirst(isBraced ? 1 : 0)) { captures.insert(name) }
        }
        if let stars = pattern.utf8.firstRange(of: "**".utf8) {
            rest = name(pattern.utf8[stars.upperBound...]) ?? "rest"
        }
    }

    /// The only name, or nil if the pattern has none or several.
    var only: String? {
        switch (captures.count, rest) {
        case (0, let rest): rest
        case (1, nil): captures.first
        default: nil
        }
    }
}

extension UInt8 {
    fileprivate var isNameByte: Bool { isASCIILetter || isASCIIDigit || self == UInt8(ascii: "_") }
}
