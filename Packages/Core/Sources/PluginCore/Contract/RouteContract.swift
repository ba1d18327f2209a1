/// The declaration of a route that its caller and its provider share: the pattern, the input and the output.
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
///     public static let item = RouteContract<ItemLink, NoValue>("shop/item/:id", .page)
///     public static let price = RouteContract<Int, Int>("shop/price/:id", .object)
/// }
///
/// try await router.open(ShopRoutes.item, ItemLink(id: 42, from: "mail"))    // app://shop/item/42?from=mail
/// let cents = try await router.value(of: ShopRoutes.price, 42)
/// ```
public struct RouteContract<Input: Sendable, Output: Sendable>: Sendable {
    /// The pattern of the addresses that the route matches.
    public let pattern: String
    /// The kind of route.
    public let kind: RouteKind
    /// The value of `page`, `handler` or `object` in the manifest, to which rules of `bundle.json` refer. By default, the pattern.
    public let name: String
    /// The scheme of created addresses if the pattern has none, or nil for addresses without a scheme.
    public let scheme: String?
    let names: PatternNames

    /// Creates a contract.
    ///
    /// - Parameters:
    ///   - pattern: The pattern; see PluginRouter for its grammar.
    ///   - kind: The kind of route.
    ///   - name: The name by which `bundle.json` refers to the route, by default the pattern.
    ///   - scheme: The scheme of created addresses if the pattern has none.
    public init(_ pattern: String, _ kind: RouteKind, name: String? = nil, scheme: String? = "app")
    where Input: Codable, Output: Codable {
        self.pattern = pattern
        self.kind = kind
        self.name = name ?? pattern
        self.scheme = scheme
        self.names = PatternNames(pattern)
    }

    /// The names of the pattern's captures, sorted.
    public var captureNames: [String] { names.captures.sorted() }

    /// The name of the pattern's double-star wildcard, or nil if it has none.
    public var restName: String? { names.rest }
}

extension RouteContract where Input: Codable {
    /// Returns the parts of the address for an input.
    ///
    /// - Throws: ``AtriumError`` with code `parameterType` and the parameter as subject, for a value that an address cannot contain.
    public func parts(of input: Input) throws(AtriumError) -> AddressParts {
        try ParameterEncoder.parts(of: input, names: names)
    }

    /// Decodes the input from the address of a request. Captures take precedence over query items; user info is ignored.
    ///
    /// - Throws: ``AtriumError`` with code `parameterMissing` or `parameterType`. Its subject is the parameter; its detail says which value
    ///   was found and which is needed.
    public func input(of request: ResourceRequest) throws(AtriumError) -> Input {
        try ParameterDecoder.decode(Input.self, from: ParameterSource(request, names: names))
    }
}
