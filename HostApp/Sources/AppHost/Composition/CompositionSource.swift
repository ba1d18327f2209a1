import PluginCore
import PluginRouter

/// The place of the host's own bundle.json.
enum CompositionSource: Sendable {
    /// A file.
    case file(FilePath)
    /// The text that the program contains.
    case text(String)

    /// Returns the bytes of bundle.json.
    ///
    /// - Throws: ``AtriumError`` with code `fileUnknown` or `inputOutput`.
    func content() throws(AtriumError) -> [UInt8] {
        switch self {
        case .file(let path): try InputFile.content(of: path)
        case .text(let text): Array(text.utf8)
        }
    }

    /// The file, or the name that errors have for the text.
    var path: FilePath {
        switch self {
        case .file(let path): path
        case .text: "bundle.json"
        }
    }
}
