/// A text for people, possibly with values, whose English pattern is the key of its translations.
///
/// The pattern of a literal has `%@` in place of each value. White space around a text is not part of its key. A translation may put
/// the values into another order, as `%2$@` and `%1$@`.
///
/// ```swift
/// localized("Installed \(identity).\n")  // the key is "Installed %@."
/// ```
public struct Sentence: ExpressibleByStringInterpolation, Sendable {
    /// The text in English.
    let english: String
    /// The key of the translations, with the white space around the text.
    let pattern: String
    /// The values in the order of the English text.
    let arguments: [String]

    /// Creates a sentence without values.
    public init(stringLiteral value: String) { (english, pattern, arguments) = (value, value, []) }

    /// Creates a sentence with values.
    public init(stringInterpolation interpolation: StringInterpolation) {
        (english, pattern) = (interpolation.english, interpolation.pattern)
        arguments = interpolation.arguments
    }

    /// The text, the pattern and the values that a literal consists of.
    public struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var english = ""
        fileprivate var pattern = ""
        fileprivate var arguments: [String] = []

        /// Creates a text without parts.
        public init(literalCapacity: Int, interpolationCount: Int) { english.reserveCapacity(literalCapacity) }

        /// Adds a part of the pattern.
        public mutating func appendLiteral(_ literal: String) {
            english += literal
            pattern += literal
        }

        /// Adds a value as Swift describes it.
        public mutating func appendInterpolation<Value>(_ value: Value) {
            let text = "\(value)"
            english += text
            pattern += TextCatalog.placeholder
            arguments.append(text)
        }
    }

    private init(english: String, pattern: String, arguments: [String]) {
        (self.english, self.pattern, self.arguments) = (english, pattern, arguments)
    }

    /// Joins the parts of a sentence that is written on several lines.
    public static func + (one: Sentence, other: Sentence) -> Sentence {
        Sentence(
            english: one.english + other.english, pattern: one.pattern + other.pattern,
            arguments: one.arguments + other.arguments)
    }
}
