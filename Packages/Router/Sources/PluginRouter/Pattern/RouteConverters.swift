/// The types of captures, such as the integer type in the capture of an identifier.
///
/// In `:id<int>`, a text that does not convert does not match, and the next route is tried. The captured value is the unconverted text.
///
/// | name | accepts |
/// |---|---|
/// | `uuid` | 8-4-4-4-12 hexadecimal digits, any case |
/// | `bool` | `true`, `false` |
/// | `int` | `[+-]?[0-9]+` that an `Int64` holds |
/// | `double` | `[+-]?digits[.digits][e[+-]digits]`, finite |
/// | `string` | anything |
///
/// ```swift
/// var converters = RouteConverters.standard
/// converters.register(RouteConverter("slug", example: "red-socks") { $0.allSatisfy { $0.isLetter || $0 == "-" } })
/// let pattern = try RoutePattern("shop/:item<slug>", converters: converters)
/// ```
public struct RouteConverters: Sendable {
    /// The five converters that are always available.
    public static let standard = Self()

    // There are few, so a dictionary would take more time to create than it could ever save.
    private var all = RouteConverter.standard

    private init() {}

    /// Adds a converter and replaces the one of the same name.
    ///
    /// Call this before parsing the first pattern: within one route table, a name must refer to one converter.
    public mutating func register(_ converter: RouteConverter) {
        all.removeAll { $0.name == converter.name }
        all.append(converter)
    }

    /// Returns the converter of a name, or `nil` if there is none.
    public subscript(name: String) -> RouteConverter? { all.first { $0.name == name } }

    /// The names of all converters, sorted.
    public var names: [String] { all.map(\.name).sorted() }
}

/// A type of captures.
public struct RouteConverter: Sendable, Hashable {
    /// The name, which is written between angle brackets in a pattern.
    public let name: String
    /// The rank among typed captures: the one with the lower number is narrower and tried first.
    ///
    /// The standard converters have 10 (`uuid`), 20 (`bool`), 30 (`int`), 40 (`double`) and 50 (`string`). Equal ones are sorted by name.
    public let breadth: Int
    /// A text that converts, for examples in error messages.
    public let example: String
    /// Returns whether a decoded text, which must not be empty, converts.
    let accepts: @Sendable (String) -> Bool

    /// Creates a converter.
    ///
    /// - Parameters:
    ///   - name: A name of letters, digits and underscores.
    ///   - breadth: The rank among typed captures, by default between `double` and `string`.
    ///   - example: A text that converts.
    ///   - accepts: Returns whether a decoded text, which is never empty, converts. It must always return the same result for the same
    ///     text.
    public init(
        _ name: String, breadth: Int = 45, example: String, accepts: @escaping @Sendable (String) -> Bool
    ) {
        self.name = name
        self.breadth = breadth
        self.example = example
        self.accepts = accepts
    }

    fileprivate static let standard = [
        Self("uuid", breadth: 10, example: "00000000-0000-0000-0000-000000000000") { $0.isUUID },
        Self("bool", breadth: 20, example: "true") { $0 == "true" || $0 == "false" },
        Self("int", breadth: 30, example: "1") { Int64($0) != nil },
        Self("double", breadth: 40, example: "1.5") { $0.isDecimal },
        Self("string", breadth: 50, example: "text") { _ in true },
    ]

    /// Compares two converters by name.
    public static func == (one: Self, other: Self) -> Bool { one.name == other.name }

    /// Hashes the name of the converter.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension String {
    fileprivate var isUUID: Bool {
        utf8.count == 36
            && zip(0..., utf8).allSatisfy { index, byte in
                [8, 13, 18, 23].contains(index) ? byte == UInt8(ascii: "-") : byte.isHexDigit
            }
    }

    /// A Boolean value that indicates whether this is a finite `[+-]?digits[.digits][e[+-]digits]`.
    ///
    /// `Double` also reads hexadecimal numbers, words, and a point without digits before or after it.
    fileprivate var isDecimal: Bool {
        let parts = utf8.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        return Double(self)?.isFinite == true && utf8.allSatisfy { $0.isDigit || "+-.eE".utf8.contains($0) }
            && parts.dropLast().allSatisfy { $0.last?.isDigit == true }
            && parts.dropFirst().allSatisfy { $0.first?.isDigit == true }
    }
}
