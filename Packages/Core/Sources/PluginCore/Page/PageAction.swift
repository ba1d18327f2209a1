/// An action that the user can perform on a page.
public struct PageAction: Hashable, Sendable {
    /// The identifier, which is the same in all languages.
    public let identifier: String
    /// The title that the user reads.
    public let title: String
    /// The fields that the user fills in first, usually none.
    public let fields: [PageField]

    /// Creates an action.
    public init(_ identifier: String, title: String, fields: [PageField] = []) {
        self.identifier = identifier
        self.title = title
        self.fields = fields
    }
}

/// A line of text that the user enters for an action.
public struct PageField: Hashable, Sendable {
    /// The name by which the page refers to the field.
    public let name: String
    /// The label that the user reads.
    public let label: String
    /// The value if the user enters nothing.
    public let initial: String

    /// Creates a field.
    public init(_ name: String, label: String, initial: String = "") {
        self.name = name
        self.label = label
        self.initial = initial
    }
}
