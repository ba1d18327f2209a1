/// A value that the user enters for an action: a text, a toggle or a choice.
///
/// ```swift
/// struct Order: Codable { var name = "", pieces = 1, size = "s" }
///
/// PageAction("order", title: "Order", input: Order(), fields: [
///     PageField("name", label: "Name", isRequired: true),
///     PageField("pieces", label: "Pieces", range: 1...9, message: "You can order up to nine."),
///     .choice("size", label: "Size", of: [PageOption("s", title: "Small"), PageOption("l", title: "Large")]),
/// ]) { order, navigator in navigator.show(notice: "\(order.pieces) for \(order.name)") }
/// ```
///
/// Each value is a text until it is decoded: that of a toggle is `true` or `false`, that of a choice the value of one of its options.
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

    /// The name of the property that the field is for.
    public let name: String
    /// The label that the user reads.
    public let label: String
    /// The value if the user enters nothing.
    public let initial: String
    /// The texts that the field accepts.
    public let kind: Kind
    /// A Boolean value that indicates whether a line of text may not be empty or blank.
    public let isRequired: Bool
    /// The numbers that a line of text may be, or nil for any text. An empty text is accepted unless it is required.
    public let range: ClosedRange<Double>?
    /// The sentence that the user reads about a text that isn't accepted, or nil for one by the host.
    public let message: String?

    /// Creates a field, by default for a line of text.
    public init(
        _ name: String, label: String, kind: Kind = .text, initial: String = "", isRequired: Bool = false,
        range: ClosedRange<Double>? = nil, message: String? = nil
    ) {
        (self.name, self.label, self.kind, self.initial) = (name, label, kind, initial)
        (self.isRequired, self.range, self.message) = (isRequired, range, message)
    }

    /// Returns the field with another initial text.
    ///
    /// - Parameters:
    ///   - text: The text, or nil to keep the field's own.
    ///   - isToggle: Whether a field for a line of text becomes a toggle.
    public func starting(with text: String?, isToggle: Bool = false) -> PageField {
        PageField(
            name, label: label, kind: isToggle && kind == .text ? .toggle : kind, initial: text ?? initial,
            isRequired: isRequired, range: range, message: message)
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

    /// The least and the greatest number that the field accepts as a user types them, or nil without a range.
    public var bounds: (lower: String, upper: String)? {
        func text(_ number: Double) -> String { Int(exactly: number).map(String.init) ?? String(number) }
        return range.map { (text($0.lowerBound), text($0.upperBound)) }
    }

    /// Returns the value for a text that a user has entered.
    ///
    /// For a toggle, a user may also enter `yes`, `no`, `on` or `off`.
    ///
    /// - Throws: ``AtriumError`` with code `fieldInvalid` for a text that the field doesn't accept.
    public func value(of text: String) throws(AtriumError) -> String {
        guard let values else {
            if isRequired, text.allSatisfy(\.isWhitespace) {
                throw refusal(of: text, ErrorReason("valueRequired", ["field": .text(name)]))
            }
            if let range, let bounds, !text.isEmpty, !(Double(text).map(range.contains) ?? false) {
                let values = ["field": name, "from": bounds.lower, "to": bounds.upper]
                throw refusal(of: text, ErrorReason("numberOutOfRange", values.mapValues { .text($0) }))
            }
            return text
        }
        if values.contains(text) { return text }
        if kind == .toggle, let value = Self.toggleWords[text.lowercased()] { return value }
        throw refusal(
            of: text,
            ErrorReason("choiceUnknown", ["field": .text(name), "choices": .text(values.joined(separator: ", "))]),
            nearest: Nearest.words(to: text, in: values))
    }

    private func refusal(of text: String, _ reason: ErrorReason, nearest: [String] = []) -> AtriumError {
        AtriumError(.fieldInvalid, text, reason: message.map { .verbatim($0) } ?? reason, nearest: nearest)
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
