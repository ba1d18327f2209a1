/// One declaration of a route for both of its sides: where it is, what goes in and what comes out.
///
/// A plugin's Interface target declares it once. The caller prints an address from an `Input` and gets an `Output`; the
/// plugin that serves the route reads the same `Input` back from the request. Interface targets are linked into every
/// caller, so neither type crosses from one plugin to another: an `Input` crosses as the address that it prints, and an
/// `Output` as itself when it is of the standard library, else as a ``CodedValue``.
///
/// - A property of `Input` that has the name of a capture is that capture, one that has the name of the `**` is a list of
///   its segments, and all others are query items: a list is a repeated name, an absent value no item at all.
/// - An `Input` that is one value and no structure is the pattern's only capture or `**`.
/// - What goes are texts, `Bool`, integers, finite floating-point numbers, `URL`s, everything that encodes as one of those (enums
///   with raw values, `UUID`, `Date`), lists of them, and optionals of it all. A structure inside a structure, a list in a
///   list and a list with gaps do not, nor does a list that may be absent and is there and empty.
///
/// ```swift
/// public struct ItemLink: Codable, Sendable {
///     public var id: Int
///     public var from: String?
/// }
///
/// public enum ShopRoutes {
///     public static let item = RouteContract<ItemLink, NoValue>("shop/item/:id", .page)
///     public static let price = RouteContract<Int, Int>("shop/price/:id", .object)
/// }
///
/// try await router.open(ShopRoutes.item, ItemLink(id: 42, from: "mail"))    // app://shop/item/42?from=mail
/// let cents = try await router.value(of: ShopRoutes.price, 42)
/// ```
public struct RouteContract<Input: Codable & Sendable, Output: Codable & Sendable>: Sendable {
    /// The pattern, as the manifest declares it.
    public let pattern: String
    /// How the route may be asked for, as the manifest declares it.
    public let kind: RouteKind
    /// The scheme of printed addresses when the pattern has none; `nil` for addresses without scheme.
    public let scheme: String?
    let names: PatternNames

    /// Declares a route that the plugin's manifest declares too, or that its code registers.
    ///
    /// - Parameters:
    ///   - pattern: the pattern; PluginRouter has its grammar.
    ///   - kind: how it may be asked for.
    ///   - scheme: the scheme of printed addresses when the pattern has none.
    public init(_ pattern: String, _ kind: RouteKind, scheme: String? = "app") {
        self.pattern = pattern
        self.kind = kind
        self.scheme = scheme
        self.names = PatternNames(pattern)
    }

    /// The names that the pattern captures, sorted.
    public var captureNames: [String] { names.captures.sorted() }

    /// The name of the pattern's `**`; `nil` when it has none.
    public var restName: String? { names.rest }
}

extension RouteContract {
    /// What an address is printed from.
    ///
    /// - Throws: ``AtriumError`` with code `parameterType`, the parameter as subject, for a value that has no place in an
    ///   address.
    public func parts(of input: Input) throws(AtriumError) -> AddressParts {
        try ParameterEncoder.encode(input, names: names)
    }

    /// What the address of a request says, captures before query items; the user info is not looked at.
    ///
    /// - Throws: ``AtriumError`` with code `parameterMissing` or `parameterType`, the parameter as subject, what was found
    ///   and what is needed as detail.
    public func input(of request: ResourceRequest) throws(AtriumError) -> Input {
        try ParameterDecoder.decode(Input.self, from: ParameterSource(request, names: names))
    }
}
