import FoundationEssentials
import HostSystem
import PluginCore

/// The files that commands write where the user wants them.
enum OutputFile {
    /// Writes a file, in place of an earlier one.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput`.
    static func write(_ text: String, to path: FilePath) throws(AtriumError) {
        do {
            try Data(text.utf8).write(to: URL(filePath: path.string))
        } catch {
            throw AtriumError(.inputOutput, path.string, reason: "fileUnwritable")
        }
    }
}
