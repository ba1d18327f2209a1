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
