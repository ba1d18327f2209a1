/// The description of an edit of a picture, with which the editor can resume or undo it.
public struct PhotoEdit: Hashable, Codable, Sendable {
    /// The format of the description and its version, as the editor names it, or nil for a picture without edits.
    public let format: String?
    /// The settings of the edit.
    public let settings: [String: String]

    /// Creates a description.
    public init(format: String? = nil, settings: [String: String] = [:]) {
        self.format = format
        self.settings = settings
    }
}
