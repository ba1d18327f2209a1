/// The request for a widget's content.
public struct WidgetRequest: Hashable, Codable, Sendable {
    /// The number of columns that the host has for the widget.
    public let columns: Int
    /// The number of rows that the host has for the widget.
    public let rows: Int

    /// Creates a request.
    public init(columns: Int, rows: Int) {
        self.columns = columns
        self.rows = rows
    }
}

/// The content of a widget.
public struct WidgetContent: Hashable, Codable, Sendable {
    /// The title.
    public let title: String
    /// The elements from top to bottom, without headings. Those that do not fit are not drawn.
    public let elements: [PageElement]
    /// The address that is opened when the user chooses the widget, or nil.
    public let address: String?

    /// Creates content.
    public init(title: String, elements: [PageElement], address: String? = nil) {
        self.title = title
        self.elements = elements
        self.address = address
    }
}
