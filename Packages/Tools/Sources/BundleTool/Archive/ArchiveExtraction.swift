public import Console
public import PluginCore
internal import Zip

/// An archive that was unpacked by the rules: all of it, or nothing.
public struct ArchiveExtraction: Sendable {
    private let path: FilePath
    private let target: FilePath
    private let fileCount: Int
    private let size: UInt64

    /// Judges the archive, and then unpacks it; modes become 0444 and 0555.
    ///
    /// - Parameters:
    ///   - target: made if it is not there; an empty folder is unpacked into, and stays the one that it is.
    ///   - limits: judged before anything is written.
    /// - Throws: ``ArchiveError``, or `AtriumError` with code `inputOutput`. The target is as it was then.
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

    /// What was done, in a line.
    public func text(for terminal: Terminal) -> String {
        let files = "\(fileCount) \(fileCount == 1 ? "file" : "files")"
        return "\(printable(target.string)): \(files), \(byteCount(Int(clamping: size)))\n"
    }

    /// The same as a document.
    public var json: JSONText {
        [
            "file": .string(path.string), "to": .string(target.string), "files": .integer(fileCount),
            "size": .integer(Int(clamping: size)),
        ]
    }

    /// Under a passing name in it, which is on its disk whatever is around it, and then one level up.
    private static func extract(_ archive: ZipArchive, into target: FilePath) throws {
        let passing = target.appending(Files.passingName)
        try archive.extract(to: passing.string)
        guard try Files.dissolve(passing) else { throw ArchiveError(targetExists: target) }
    }
}
