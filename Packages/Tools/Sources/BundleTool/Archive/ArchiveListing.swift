import Console
import PluginCore
import Zip

/// The list of a valid archive's entries, read from its central directory.
struct ArchiveListing {
    private let path: FilePath
    private let entries: [ZipEntry]
    private let totalSize: UInt64

    /// Validates the structure of an archive without reading the contents of its files.
    ///
    /// - Throws: ``ArchiveError``.
    init(of path: FilePath, within limits: ArchiveLimits = ArchiveLimits()) throws(ArchiveError) {
        self.path = path
        do {
            let archive = try ZipArchive(path: path.string, limits: limits.zip)
            entries = archive.entries
            totalSize = archive.totalUncompressedSize
        } catch {
            throw ArchiveError(error, archive: path)
        }
    }

    /// Renders a row for each file and folder in the archive's order, and their total size.
    func text(for terminal: Terminal) -> String {
        var table = Table(["MODE", .init("BYTES", .trailing), .init("PACKED", .trailing), "METHOD", "CRC-32", "NAME"])
        for entry in entries {
            table.add([
                Self.octal(entry), "\(entry.uncompressedSize)", "\(entry.compressedSize)", "\(entry.method)",
                hexadecimal(entry.crc32), entry.name,
            ])
        }
        let count = "\(entries.count) \(entries.count == 1 ? "entry" : "entries")"
        return table.rendered(for: terminal) + "\(count), \(byteCount(Int(clamping: totalSize)))\n"
    }

    /// The list as a JSON document.
    var json: JSONText {
        [
            "file": .string(path.string), "size": .integer(Int(clamping: totalSize)),
            "entries": .array(
                entries.map { entry in
                    [
                        "name": .string(entry.name), "isFolder": .bool(entry.isDirectory),
                        "mode": .string(Self.octal(entry)), "size": .integer(Int(clamping: entry.uncompressedSize)),
                        "packedSize": .integer(Int(clamping: entry.compressedSize)),
                        "method": .string("\(entry.method)"),
                        "crc32": .string(hexadecimal(entry.crc32)),
                    ]
                }),
        ]
    }

    private static func octal(_ entry: ZipEntry) -> String {
        let digits = String(entry.mode, radix: 8)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    private func hexadecimal(_ crc: UInt32) -> String {
        let digits = String(crc, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}

/// The extraction of an archive under strict rules, which writes either all files or none.
struct ArchiveExtraction {
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
    init(of path: FilePath, to target: FilePath, within limits: ArchiveLimits = ArchiveLimits()) throws {
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
    func text(for terminal: Terminal) -> String {
        let files = "\(fileCount) \(fileCount == 1 ? "file" : "files")"
        return "\(printable(target.string)): \(files), \(byteCount(Int(clamping: size)))\n"
    }

    /// The summary as a JSON document.
    var json: JSONText {
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
