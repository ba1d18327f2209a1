/// The controller of a bundle's widgets, which hides a widget that has nothing to show.
///
/// The bundle and its extensions each get a controller from their host. This corresponds to `NCWidgetController`.
///
/// ```swift
/// try await context.widgets.setHasContent(!watchList.isEmpty, for: "com.example.app.stocks.widget")
/// ```
public struct WidgetController: Sendable {
    private let body: @Sendable (Bool, BundleIdentifier) async throws -> Void

    /// Creates a controller. Hosts and tests call this; plugins and extensions receive a controller.
    public init(_ body: @escaping @Sendable (Bool, BundleIdentifier) async throws -> Void) {
        self.body = body
    }

    /// Hides a widget that has nothing to show, or shows it again. The choice holds until the next call, also after an update.
    ///
    /// - Parameter identifier: The identifier of an extension that the bundle contains.
    /// - Throws: ``AtriumError`` with code `extensionUndeclared` for any other identifier, `sandboxBusy` or `inputOutput`.
    public func setHasContent(_ hasContent: Bool, for identifier: BundleIdentifier) async throws {
        try await body(hasContent, identifier)
    }
}

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
