/// A file of a new plugin.
public struct TemplateFile: Hashable, Sendable {
    /// The path in the plugin's folder.
    public let path: String
    /// The content.
    public let content: String

    init(_ path: String, _ content: String) {
        self.path = path
        self.content = content
    }
}
