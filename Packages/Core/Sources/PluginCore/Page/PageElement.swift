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
    /// An image on lines of its own.
    case image(PageImage)
    /// The progress of something that takes time.
    ///
    /// The fraction is from 0 to 1; hosts draw one outside of that range as the nearest bound. Nil, or a value that is not a number, means that
    /// the end is not known.
    case progress(label: String, fraction: Double?)
    /// Elements that belong together, below a title. The title may be empty.
    indirect case section(title: String, [PageElement])
    /// An element of a kind that this version of Core doesn't know, as decoded from the data of a newer one. Hosts omit it.
    case unknown(kind: String)
}

extension PageElement {
    /// The rows of the element and of the elements in it, from top to bottom.
    public var rows: [PageRow] {
        switch self {
        case .list(let rows): rows
        case .section(_, let elements): elements.flatMap(\.rows)
        default: []
        }
    }
}
