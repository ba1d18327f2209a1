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
    public static let standard = RouteConverters()

    // There are few, so a dictionary would take more time to create than it could ever save.
    private var all: [RouteConverter] = [.uuid, .bool, .int, .double, .string]

    private init() {}

    /// Adds a converter and replaces the one of the same name.
    ///
    /// Call this before parsing the first pattern: within one route table, a name must refer to one converter.
    public mutating func register(_ converter: RouteConverter) {
        all.removeAll { $0.name == converter.name }
        all.append(converter)
    }

    /// Returns the converter of a name, or nil if there is none.
    public subscript(name: String) -> RouteConverter? { all.first { $0.name == name } }

    /// The names of all converters, sorted.
    public var names: [String] { all.map(\.name).sorted() }
}

/// A type of captures.
public struct RouteConverter: Sendable {
    enum Rule: Sendable {
        case uuid, bool, int, double, string
        case custom(@Sendable (String) -> Bool)
    }

    /// The name, which is written between angle brackets in a pattern.
    public let name: String
    /// The rank among typed captures: the one with the lower number is narrower and tried first.
    ///
    /// The standard converters have 10 (`uuid`), 20 (`bool`), 30 (`int`), 40 (`double`) and 50 (`string`). Equal ones are sorted by name.
    public let breadth: Int
    /// A text that converts, for examples in error messages.
    public let example: String
    let rule: Rule

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
        self.init(name, breadth, example, .custom(accepts))
    }

    private init(_ name: String, _ breadth: Int, _ example: String, _ rule: Rule) {
        self.name = name
        self.breadth = breadth
        self.example = example
        self.rule = rule
    }

    static let uuid = RouteConverter("uuid", 10, "00000000-0000-0000-0000-000000000000", .uuid)
    static let bool = RouteConverter("bool", 20, "true", .bool)
    static let int = RouteConverter("int", 30, "1", .int)
    static let double = RouteConverter("double", 40, "1.5", .double)
    static let string = RouteConverter("string", 50, "text", .string)

    /// Returns whether a decoded text, which must not be empty, converts.
    func accepts(_ text: Span<UInt8>) -> Bool {
        switch rule {
        case .uuid: text.isUUID
        case .bool: text.equals("true") || text.equals("false")
        case .int: text.isInt64
        case .double: text.isFiniteDouble
        case .string: true
        case .custom(let accepts): accepts(text.string)
        }
    }
}

extension RouteConverter: Hashable {
    /// Compares two converters by name.
    public static func == (one: RouteConverter, other: RouteConverter) -> Bool { one.name == other.name }

    /// Hashes the name of the converter.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension Span<UInt8> {
    /// The bytes as a string.
    var string: String { withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) } }

    func equals(_ text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { bytes in indices.allSatisfy { self[$0] == bytes[$0] } }
    }

    fileprivate var isUUID: Bool {
        guard count == 36 else { return false }
        for index in 0..<count {
            switch index {
            case 8, 13, 18, 23: guard self[index] == UInt8(ascii: "-") else { return false }
            default: guard self[index].isHexDigit else { return false }
            }
        }
        return true
    }

    fileprivate var isInt64: Bool {
        let start = skippingSign(at: 0)
        guard skippingDigits(at: start) == count, start < count else { return false }
        let isNegative = self[0] == UInt8(ascii: "-")
        var value: Int64 = 0
        for index in start..<count {
            let digit = Int64(self[index] - UInt8(ascii: "0"))
            let (tens, isTooFar) = value.multipliedReportingOverflow(by: 10)
            let (sum, isTooFarBy) = tens.addingReportingOverflow(isNegative ? -digit : digit)
            guard !isTooFar, !isTooFarBy else { return false }
            value = sum
        }
        return true
    }

    fileprivate var isFiniteDouble: Bool {
        let start = skippingSign(at: 0)
        let point = skippingDigits(at: start)
        var end = point
        guard end > start else { return false }
        if end < count, self[end] == UInt8(ascii: ".") {
            end = skippingDigits(at: point + 1)
            guard end > point + 1 else { return false }
        }
        let mantissaEnd = end
        var exponent = 0
        if end < count, self[end] | 0x20 == UInt8(ascii: "e") {
            let digits = skippingSign(at: end + 1)
            let sign = end + 1
            end = skippingDigits(at: digits)
            guard end > digits else { return false }
            exponent = extracting(digits..<end).smallNumber
            if self[sign] == UInt8(ascii: "-") { exponent = -exponent }
        }
        guard end == count else { return false }
        // The power of ten of the first significant digit.
        var first = start
        while first < mantissaEnd, self[first] == UInt8(ascii: "0") || first == point { first += 1 }
        guard first < mantissaEnd else { return true }
        let magnitude = (first < point ? point - first - 1 : point - first) + exponent
        // The greatest double is slightly below 1.8e308.
        return magnitude == 308 ? Double(string)?.isFinite == true : magnitude < 308
    }

    /// The number that the digits spell, capped at a value that is large enough to be out of range.
    private var smallNumber: Int {
        var number = 0
        for index in indices { number = Swift.min(number * 10 + Int(self[index] & 0x0F), 1 << 48) }
        return number
    }

    private func skippingSign(at index: Int) -> Int {
        guard index < count, self[index] == UInt8(ascii: "+") || self[index] == UInt8(ascii: "-") else { return index }
        return index + 1
    }

    private func skippingDigits(at start: Int) -> Int {
        var index = start
        while index < count, self[index].isDigit { index += 1 }
        return index
    }
}
