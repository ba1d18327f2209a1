/// A reverse-domain name that identifies a bundle in all of its versions, such as com.example.app.shop.
///
/// An identifier has two or more labels between dots, each of lowercase letters, digits and hyphens, and starting with a letter. It has at
/// most 128 bytes, because it becomes the name of a folder.
public struct BundleIdentifier: Hashable, Sendable, LosslessStringConvertible, ExpressibleByStringLiteral, Comparable {
    /// The identifier as text.
    public let text: String

    /// Creates an identifier from a literal in the source.
    ///
    /// - Precondition: The literal is a valid identifier. Use ``init(_:)`` for text from elsewhere.
    public init(stringLiteral text: String) {
        precondition(Self.isValid(text), "\"\(text)\" is not a reverse-domain name")
        self.text = text
    }

    /// The maximum length in bytes.
    private static let maximumLength = 128

    /// Returns whether a text has the form of an identifier. The names of teams and app groups have the same form.
    public static func isValid(_ text: String) -> Bool {
        let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return text.utf8.count <= maximumLength && labels.count >= 2 && labels.allSatisfy(isLabel)
    }

    private static func isLabel(_ label: Substring.UTF8View) -> Bool {
        guard let first = label.first, isLowercaseLetter(first) else { return false }
        return label.allSatisfy { isLowercaseLetter($0) || $0.isASCIIDigit || $0 == UInt8(ascii: "-") }
    }

    private static func isLowercaseLetter(_ byte: UInt8) -> Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte }

    /// Creates an identifier from text. Returns nil if the text is not a valid identifier.
    ///
    /// A literal in parentheses is a literal too, so `BundleIdentifier("shop")` stops the program.
    public init?(_ text: String) {
        guard Self.isValid(text) else { return nil }
        self.text = text
    }

    /// The identifier as text.
    public var description: String { text }

    /// Returns whether one identifier precedes another in the order of their text.
    public static func < (left: Self, right: Self) -> Bool { left.text < right.text }
}

/// The identifier and the version of a bundle.
public struct BundleIdentity: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The reverse-domain identifier, such as com.example.app.shop.
    public let identifier: BundleIdentifier
    /// The version.
    public let version: SemanticVersion

    /// Creates an identity.
    public init(identifier: BundleIdentifier, version: SemanticVersion) {
        self.identifier = identifier
        self.version = version
    }

    /// The text form that the command line accepts, such as com.example.app.shop@1.1.0.
    public var description: String { "\(identifier)@\(version)" }
}
