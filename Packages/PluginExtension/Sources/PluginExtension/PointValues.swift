public import PluginCore

/// A request to a source of documents.
public enum DocumentRequest: Hashable, Codable, Sendable {
    /// Lists the documents and folders in a folder; the empty identifier is the top folder.
    case list(folder: String)
    /// Fetches a document.
    case fetch(document: String)
}

/// The reply of a source of documents.
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

    /// Decodes a description, which may lack its settings.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        format = try values.decodeIfPresent(String.self, forKey: .format)
        settings = try values.decodeIfPresent([String: String].self, forKey: .settings) ?? [:]
    }
}

/// A key that the user presses in a text field.
public struct KeyPress: Hashable, Codable, Sendable {
    /// The name of the key: a character, or a word such as `backspace`.
    public let key: String
    /// The text before the insertion point.
    public let before: String
    /// The text after the insertion point.
    public let after: String

    /// Creates a key press.
    public init(key: String, before: String, after: String = "") {
        self.key = key
        self.before = before
        self.after = after
    }
}

/// A change of the text in a text field, at the insertion point.
public struct TextChange: Hashable, Codable, Sendable {
    /// The number of characters that are deleted before the insertion point.
    public let deleted: Int
    /// The text that is inserted in their place.
    public let inserted: String

    /// Creates a change.
    public init(deleting deleted: Int = 0, inserting inserted: String = "") {
        self.deleted = deleted
        self.inserted = inserted
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
