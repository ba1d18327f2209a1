/// A value that the user enters for an action: a text, a toggle or a choice.
///
/// ```swift
/// PageAction("order", title: "Order", fields: [
///     PageField("name", label: "Name"),
///     .toggle("gift", label: "As a gift"),
///     .choice("size", label: "Size", of: [PageOption("s", title: "Small"), PageOption("l", title: "Large")]),
/// ])
/// ```
///
/// The page gets each value as text: that of a toggle is `true` or `false`, that of a choice the value of one of its options.
public struct PageField: Hashable, Codable, Sendable {
    /// The texts that a field accepts.
    public enum Kind: Hashable, Codable, Sendable {
        /// Any line of text.
        case text
        /// `true` or `false`.
        case toggle
        /// The value of one of the options.
        case choice([PageOption])
    }

    /// The name by which the page refers to the field.
    public let name: String
    /// The label that the user reads.
    public let label: String
    /// The value if the user enters nothing.
    public let initial: String
    /// The texts that the field accepts.
    public let kind: Kind

    /// Creates a field, by default for a line of text.
    public init(_ name: String, label: String, kind: Kind = .text, initial: String = "") {
        self.name = name
        self.label = label
        self.initial = initial
        self.kind = kind
    }

    /// Creates a field that is on or off.
    public static func toggle(_ name: String, label: String, initial: Bool = false) -> PageField {
        Self(name, label: label, kind: .toggle, initial: initial ? "true" : "false")
    }

    /// Creates a field with options.
    ///
    /// - Parameter initial: The value that is chosen at first, or nil for the first option's.
    public static func choice(
        _ name: String, label: String, of options: [PageOption], initial: String? = nil
    ) -> PageField {
        Self(
            name, label: label, kind: .choice(options), initial: initial ?? options.first?.value ?? "")
    }

    private static let toggleWords = [
        "true": "true", "yes": "true", "on": "true", "false": "false", "no": "false", "off": "false",
    ]

    /// The values that the field accepts, or nil if it accepts any text.
    public var values: [String]? {
        switch kind {
        case .text: nil
        case .toggle: ["true", "false"]
        case .choice(let options): options.map(\.value)
        }
    }

    /// Returns the value for a text that a user has entered.
    ///
    /// For a toggle, a user may also enter `yes`, `no`, `on` or `off`.
    ///
    /// - Throws: ``AtriumError`` with code `fieldInvalid` for a text that the field doesn't accept.
    public func value(of text: String) throws(AtriumError) -> String {
        guard let values else { return text }
        if values.contains(text) { return text }
        if kind == .toggle, let value = Self.toggleWords[text.lowercased()] { return value }
        throw AtriumError(
            .fieldInvalid, text, reason: "choiceUnknown",
            ["field": .text(name), "choices": .text(values.joined(separator: ", "))],
            nearest: Nearest.words(to: text, in: values))
    }
}

/// An option of a choice.
public struct PageOption: Hashable, Codable, Sendable {
    /// The value that the page gets.
    public let value: String
    /// The title that the user reads.
    public let title: String

    /// Creates an option.
    ///
    /// - Parameter title: The title, or nil for the value.
    public init(_ value: String, title: String? = nil) {
        self.value = value
        self.title = title ?? value
    }
}
