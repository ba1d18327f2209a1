/// The reason for an error as data: a name and named values.
///
/// A command line or an app keeps one sentence per name, in which it inserts the values.
///
/// ```swift
/// ErrorReason("versionActive", ["version": "1.1.0"])
/// ```
public struct ErrorReason: Hashable, Sendable, Codable {
    /// The name in lower camel case.
    public let name: String
    /// The values by name.
    public let values: [String: Value]

    /// Creates a reason.
    public init(_ name: String, _ values: [String: Value] = [:]) {
        self.name = name
        self.values = values
    }

    /// Creates a reason whose text is shown as it is, because it comes from below, such as the dynamic loader's message.
    public static func verbatim(_ text: String) -> ErrorReason { ErrorReason("verbatim", ["text": .text(text)]) }

    /// Returns the reason for a problem at a place in a file, such as `requires[0].bundle`.
    public static func at(_ place: String, _ problem: ErrorReason) -> ErrorReason {
        ErrorReason("at", ["place": .text(place), "problem": .reason(problem)])
    }

    /// Returns the reason for a field that does not exist, with the field that was probably meant.
    public static func unknownField(nearest: String?) -> ErrorReason {
        nearest.map { ErrorReason("fieldMisspelled", ["nearest": .text($0)]) } ?? ErrorReason("fieldUnknown")
    }

    /// Returns a reason that describes another error with its code.
    public static func error(_ error: any Error) -> ErrorReason {
        guard let error = error as? AtriumError, error.message == nil else { return .verbatim("\(error)") }
        var values: [String: Value] = ["code": .text(error.code.name), "subject": .text(error.subject)]
        guard let reasons = all(of: error.reasons) else {
            return ErrorReason("error", values)
        }
        values["reason"] = .reason(reasons)
        return ErrorReason(error.reason == nil ? "errorWithProblems" : "errorWithReason", values)
    }

    /// Returns one reason for several: nil for none, and the reason itself for one.
    public static func all(of reasons: [ErrorReason]) -> ErrorReason? {
        reasons.count < 2 ? reasons.first : ErrorReason("several", ["reasons": .reasons(reasons)])
    }
}

extension ErrorReason {
    /// A value of a reason.
    public enum Value: Hashable, Sendable {
        /// A text, such as a name or a path.
        case text(String)
        /// A number.
        case integer(Int)
        /// Several texts.
        case list([String])
        /// Another reason, such as that of the error that led to this one.
        case reason(ErrorReason)
        /// Several reasons.
        case reasons([ErrorReason])
    }
}

extension ErrorReason.Value: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral {
    /// Creates a text.
    public init(stringLiteral value: String) { self = .text(value) }
    /// Creates a number.
    public init(integerLiteral value: Int) { self = .integer(value) }
    /// Creates several texts.
    public init(arrayLiteral elements: String...) { self = .list(elements) }
}

extension ErrorReason.Value {
    /// Creates a text from a bundle's identifier.
    public static func text(_ identifier: BundleIdentifier) -> Self { .text(identifier.text) }
}

extension ErrorReason: CustomStringConvertible {
    /// The name, and the values in parentheses, for logs.
    public var description: String {
        if values.isEmpty { return name }
        if name == "verbatim", case .text(let text) = values["text"] { return text }
        return "\(name)(\(values.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")))"
    }
}

extension ErrorReason.Value: CustomStringConvertible {
    /// The value for logs.
    public var description: String {
        switch self {
        case .text(let text): text
        case .integer(let number): "\(number)"
        case .list(let texts): "[\(texts.joined(separator: ", "))]"
        case .reason(let reason): "\(reason)"
        case .reasons(let reasons): "[\(reasons.map(\.description).joined(separator: ", "))]"
        }
    }
}

// In JSON, a value of a reason is a text, a number, a list or a reason: {"name": "chain", "values": {"path": ["a", "b"]}}.
extension ErrorReason.Value: Codable {
    /// Reads a value. An empty list is one of texts.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let number = try? container.decode(Int.self) {
            self = .integer(number)
        } else if let texts = try? container.decode([String].self) {
            self = .list(texts)
        } else if let reasons = try? container.decode([ErrorReason].self) {
            self = .reasons(reasons)
        } else {
            self = .reason(try container.decode(ErrorReason.self))
        }
    }

    /// Writes the value without the name of its case.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .integer(let number): try container.encode(number)
        case .list(let texts): try container.encode(texts)
        case .reason(let reason): try container.encode(reason)
        case .reasons(let reasons): try container.encode(reasons)
        }
    }
}
