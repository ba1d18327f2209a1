/// An element of a page. Hosts omit kinds that they don't know, which a newer Core may add.
public enum PageElement: Hashable, Sendable {
    /// A heading inside the page.
    case heading(String)
    /// A paragraph.
    case text(String)
    /// A named value, such as a price.
    case field(label: String, value: String)
    /// A list of rows.
    case list([PageRow])
    /// A separator line.
    case divider
}

/// One row of a list.
public struct PageRow: Hashable, Sendable {
    /// The title of the row.
    public let title: String
    /// Additional text, drawn at the end of the row. It may be empty.
    public let detail: String

    /// Creates a row.
    public init(_ title: String, detail: String = "") {
        self.title = title
        self.detail = detail
    }
}
