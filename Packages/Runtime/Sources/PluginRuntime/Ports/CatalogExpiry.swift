/// The end of the life of a role of a published catalog, after which its metadata is no longer trusted.
public struct CatalogExpiry: Hashable, Sendable {
    /// The place of the catalog.
    public let catalog: String
    /// The name of the role.
    public let role: String
    /// The end of its life in seconds since 1970.
    public let seconds: Int
    /// The end of its life as a text, such as `2030-01-01T00:00:00Z`.
    public let text: String
    /// The time from which there is a warning, in seconds since 1970.
    public let warning: Int

    /// Creates the end of a role's life.
    public init(catalog: String, role: String, seconds: Int, text: String, warning: Int) {
        self.catalog = catalog
        self.role = role
        self.seconds = seconds
        self.text = text
        self.warning = warning
    }
}
