internal import FoundationEssentials
package import PluginCore

/// The notes in the bundle's container, where plugin and extensions find the same ones.
///
/// Each note is a file of its own, such as `Notes/7.txt`. Two processes can therefore add notes at the same time without waiting for each
/// other, and a reader never sees half a note.
package struct NoteStorage: Sendable {
    /// The maximum size of a note, in bytes.
    package static let sizeLimit = 64 << 10

    private let folder: FilePath

    /// Creates the storage of a container. Its folder is created with the first note.
    package init(in container: BundleContainer) { folder = container.documents.appending("Notes") }

    /// Returns all notes, newest first.
    ///
    /// - Throws: The errors of the file system.
    package func notes() throws -> [Note] {
        try numbers().sorted(by: >).compactMap { try note($0) }
    }

    /// Returns the note with a number; `nil` if there is none.
    ///
    /// - Throws: The errors of the file system.
    package func note(_ number: Int) throws -> Note? {
        let path = file(number).string
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        let text = try String(contentsOfFile: path, encoding: .utf8)
        return text.isEmpty ? nil : Note(number: number, text: text)
    }

    /// Adds a note and returns its number.
    ///
    /// - Throws: ``AtriumError`` with code `noteInvalid` for a text without visible characters or a text that is too long, and the errors of
    ///   the file system.
    package func add(_ text: String) throws -> Int {
        if text.allSatisfy(\.isWhitespace) { throw AtriumError(.noteInvalid, "note", message: "a note needs a text") }
        guard text.utf8.count <= Self.sizeLimit else {
            throw AtriumError(.noteInvalid, "note", message: "a note has at most \(Self.sizeLimit) bytes")
        }
        try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
        let number = try reserve()
        try Data(text.utf8).write(to: URL(filePath: file(number).string), options: .atomic)
        return number
    }

    /// Creates an empty file for a number that no other process has, and which counts as no note until it is replaced.
    private func reserve() throws -> Int {
        var number = (try numbers().max() ?? 0) + 1
        while true {
            do {
                try Data().write(to: URL(filePath: file(number).string), options: .withoutOverwriting)
                return number
            } catch let error as CocoaError where error.code == .fileWriteFileExists {
                number += 1
            }
        }
    }

    /// Removes a note.
    ///
    /// - Throws: The errors of the file system.
    package func remove(_ number: Int) throws {
        try FileManager.default.removeItem(atPath: file(number).string)
    }

    /// Returns the path of the file for a note, which exists only if the note does.
    package func file(_ number: Int) -> FilePath { folder.appending("\(number).txt") }

    private func numbers() throws -> [Int] {
        guard FileManager.default.fileExists(atPath: folder.string) else { return [] }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.string)
        return names.compactMap { $0.hasSuffix(".txt") ? Int($0.dropLast(4)) : nil }
    }
}

extension AtriumError.Code {
    /// The code for a note without a text, or with one that is too long.
    package static let noteInvalid = Self("noteInvalid")
}
