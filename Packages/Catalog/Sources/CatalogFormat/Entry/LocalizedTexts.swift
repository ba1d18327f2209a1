/// The name and the summary of a bundle in one language, as far as the package has them.
public struct LocalizedTexts: Hashable, Sendable {
    /// The key of the name in a package's string tables.
    public static let nameKey = "bundle.name"
    /// The key of the summary in a package's string tables.
    public static let summaryKey = "bundle.summary"

    /// The display name, or nil for that of the manifest.
    public let name: String?
    /// The description in one sentence, or nil for that of the manifest.
    public let summary: String?

    /// Creates the texts of a language.
    public init(name: String?, summary: String?) {
        self.name = name
        self.summary = summary
    }
}
