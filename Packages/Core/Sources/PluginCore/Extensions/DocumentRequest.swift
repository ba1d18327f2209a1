/// A request to a source of documents.
@frozen
public enum DocumentRequest: Hashable, Codable, Sendable {
    /// Lists the documents and folders in a folder; the empty identifier is the top folder.
    case list(folder: String)
    /// Fetches a document.
    case fetch(document: String)
}

/// The reply of a source of documents.
@frozen
public enum DocumentReply: Hashable, Codable, Sendable {
    /// The documents and folders in a folder.
    case list([DocumentEntry])
    /// The document is the only attachment of the result.
    case fetched
}

/// A document or a folder in a source of documents.
public struct DocumentEntry: Hashable, Codable, Sendable {
    /// The identifier, by which the document is fetched or the folder is listed.
    public let identifier: String
    /// The name.
    public let name: String
    /// The size in bytes, or nil for a folder.
    public let size: Int?

    /// Creates an entry.
    public init(identifier: String, name: String, size: Int?) {
        self.identifier = identifier
        self.name = name
        self.size = size
    }
}

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
