public import Console
public import PluginCore
internal import Zip

/// The extraction of an archive under strict rules, which writes either all files or none.
public struct ArchiveExtraction: Sendable {
    private let path: FilePath
    private let target: FilePath
    private let fileCount: Int
    private let size: UInt64

    /// Validates an archive and extracts it; modes become 0444 and 0555.
    ///
    /// - Parameters:
    ///   - target: the destination, which is created if it doesn't exist; an existing folder must be empty and is not replaced.
    ///   - limits: checked before anything is written.
    /// - Throws: ``ArchiveError``, or `AtriumError` with code `inputOutput`; the target is unchanged in that case.
    public init(of path: FilePath, to target: FilePath, within limits: ArchiveLimits = ArchiveLimits()) throws {
        self.path = path
        self.target = target
        do {
            let archive = try ZipArchive(path: path.string, limits: limits.zip)
            switch Files.kind(of: target, followingLinks: false) {
            case nil: try archive.extract(to: target.string)
            case .folder where Files.isEmptyFolder(target): try Self.extract(archive, into: target)
            default: throw ArchiveError(targetExists: target)
            }
            fileCount = archive.entries.count { !$0.isDirectory }
            size = archive.totalUncompressedSize
        } catch let error as ZipError {
            throw ArchiveError(error, archive: path)
        }
    }

    /// Returns a summary in one line.
    public func text(for terminal: Terminal) -> String {
        let files = "\(fileCount) \(fileCount == 1 ? "file" : "files")"
        return "\(printable(target.string)): \(files), \(byteCount(Int(clamping: size)))\n"
    }

    /// The summary as a JSON document.
    public var json: JSONText {
        [
            "file": .string(path.string), "to": .string(target.string), "files": .integer(fileCount),
            "size": .integer(Int(clamping: size)),
        ]
    }

    /// Extracts to a temporary folder inside the target, which is on the same file system, and then moves its contents up.
    private static func extract(_ archive: ZipArchive, into target: FilePath) throws {
        let passing = target.appending(Files.passingName)
        try archive.extract(to: passing.string)
        guard try Files.dissolve(passing) else { throw ArchiveError(targetExists: target) }
    }
}
