/// A key that the user presses in a text field.
public struct KeyPress: Hashable, Codable, Sendable {
    /// The name of the key: a character, or a word such as `backspace`.
    public let key: String
    /// The text before the insertion point.
    public let before: String
    /// The text after the insertion point.
    public let after: String

    /// Creates a key press.
    public init(key: String, before: String, after: String = "") {
        self.key = key
        self.before = before
        self.after = after
    }
}

/// A change of the text in a text field, at the insertion point.
public struct TextChange: Hashable, Codable, Sendable {
    /// The number of characters that are deleted before the insertion point.
    public let deleted: Int
    /// The text that is inserted in their place.
    public let inserted: String

    /// Creates a change.
    public init(deleting deleted: Int = 0, inserting inserted: String = "") {
        self.deleted = deleted
        self.inserted = inserted
    }
}
