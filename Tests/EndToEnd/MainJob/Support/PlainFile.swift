import FoundationEssentials
import PluginCore

extension MainJob {
    /// A file as its bytes.
    struct PlainFile {
        let bytes: [UInt8]

        init(_ path: FilePath) throws {
            bytes = Array(try Data(contentsOf: URL(filePath: path.string)))
        }

        func contains(_ text: String) -> Bool { bytes.firstRange(of: Array(text.utf8)) != nil }
    }
}
