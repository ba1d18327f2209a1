import FoundationEssentials
import PluginCore

extension FilePath {
    /// The content of the file.
    var text: String { get throws { try String(contentsOfFile: string, encoding: .utf8) } }

    var exists: Bool { FileManager.default.fileExists(atPath: string) }

    /// Creates a folder with its parents.
    func makeFolder() throws {
        try FileManager.default.createDirectory(atPath: string, withIntermediateDirectories: true)
    }

    func copy(to target: FilePath) throws { try FileManager.default.copyItem(atPath: string, toPath: target.string) }

    func remove() throws { try FileManager.default.removeItem(atPath: string) }

    /// Writes a text in place of the content.
    func write(_ text: String) throws { try Data(text.utf8).write(to: URL(filePath: string)) }
}
