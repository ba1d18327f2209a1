/// One thing a page shows. Hosts draw what they know and leave out what a newer Core added.
public enum PageElement: Hashable, Sendable {
    /// A headline inside the page.
    case heading(String)
    /// A paragraph.
    case text(String)
    /// A named value, such as a price.
    case field(label: String, value: String)
    /// Rows under each other.
    case list([PageRow])
    /// A line between what is above and below.
    case divider
}

/// One row of a list.
public struct PageRow: Hashable, Sendable {
    /// What the row is.
    public let title: String
    /// More about it, drawn at the end; may be empty.
    public let detail: String

    /// Makes a row.
    public init(_ title: String, detail: String = "") {
        self.title = title
        self.detail = detail
    }
}
