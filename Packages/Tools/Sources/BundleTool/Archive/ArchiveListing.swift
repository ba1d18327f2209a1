public import Console
public import PluginCore
internal import Zip

/// The list of a valid archive's entries, read from its central directory.
public struct ArchiveListing: Sendable {
    private let path: FilePath
    private let entries: [ZipEntry]
    private let totalSize: UInt64

    /// Validates the structure of an archive without reading the contents of its files.
    ///
    /// - Throws: ``ArchiveError``.
    public init(of path: FilePath, within limits: ArchiveLimits = ArchiveLimits()) throws(ArchiveError) {
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
    public func text(for terminal: Terminal) -> String {
        var table = Table([
            .init("MODE"), .init("BYTES", .trailing), .init("PACKED", .trailing), .init("METHOD"), .init("CRC-32"),
            .init("NAME"),
        ])
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
    public var json: JSONText {
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
