/// Something the user can do on a page.
public struct PageAction: Hashable, Sendable {
    /// What the page calls it; stable across languages.
    public let identifier: String
    /// What the user reads.
    public let title: String
    /// What the user fills in first; usually nothing.
    public let fields: [PageField]

    /// Offers an action.
    public init(_ identifier: String, title: String, fields: [PageField] = []) {
        self.identifier = identifier
        self.title = title
        self.fields = fields
    }
}

/// A line of text that an action needs from the user.
public struct PageField: Hashable, Sendable {
    /// What the page calls it.
    public let name: String
    /// What the user reads.
    public let label: String
    /// What is there when the user enters nothing.
    public let initial: String

    /// Asks for a line of text.
    public init(_ name: String, label: String, initial: String = "") {
        self.name = name
        self.label = label
        self.initial = initial
    }
}
