@testable import Zip
import ZipWriting

/// An archive that is built field by field, so that a test can make one field invalid.
struct Crafted {
    struct Entry {
        var central: CentralHeader
        var local: LocalHeader
        var localName: [UInt8]
        var localExtra: [UInt8] = []
        var data: [UInt8]
        var trailer: [UInt8] = []
    }

    var entries: [Entry]
    var prefix: [UInt8] = []
    var beforeDirectory: [UInt8] = []
    var beforeEnd: [UInt8] = []
    var comment: [UInt8] = []
    var editEnd: (inout EndRecord) -> Void = { _ in }
    var suffix: [UInt8] = []

    var bytes: [UInt8] {
        var bytes = prefix
        var directory: [UInt8] = []
        for entry in entries {
            var central = entry.central
            central.offset &+= UInt32(bytes.count)
            central.append(to: &directory)
            var local = entry.local
            if local.extraSize == 0 { local.extraSize = UInt16(entry.localExtra.count) }
            local.append(to: &bytes)
            bytes += entry.localName + entry.localExtra + entry.data + entry.trailer
        }
        bytes += beforeDirectory
        var end = EndRecord()
        end.entryCount = UInt16(truncatingIfNeeded: entries.count)
        (end.entriesOnDisk, end.commentSize) = (end.entryCount, UInt16(comment.count))
        (end.directorySize, end.directoryOffset) = (UInt32(directory.count), UInt32(bytes.count))
        editEnd(&end)
        bytes += directory + beforeEnd
        end.append(to: &bytes)
        return bytes + comment + suffix
    }

    /// Creates an archive with valid stored entries.
    init(_ files: [(name: [UInt8], data: [UInt8])]) {
        entries = files.map { file in
            var crc = CRC32()
            crc.update(file.data.span.bytes)
            var central = CentralHeader()
            (central.madeBy, central.versionNeeded, central.date) = (3 << 8 | 20, 20, 0x21)
            if file.name.contains(where: { $0 >= 0x80 }) { central.flags = .utf8 }
            (central.crc32, central.name) = (crc.value, file.name)
            central.compressedSize = UInt32(file.data.count)
            central.uncompressedSize = UInt32(file.data.count)
            return Entry(central: central, local: LocalHeader(matching: central), localName: file.name, data: file.data)
        }
    }

    init(names: [String]) {
        self.init(names.map { (Array($0.utf8), $0.hasSuffix("/") ? [] : Array("data".utf8)) })
    }

    /// Changes both headers of an entry.
    mutating func edit(_ index: Int = 0, _ change: (inout CentralHeader) -> Void) {
        change(&entries[index].central)
        entries[index].local = LocalHeader(matching: entries[index].central)
        entries[index].localName = entries[index].central.name
    }
}

extension Crafted {
    static func field(_ tag: UInt16, _ content: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(field: tag)
        bytes.append(field: UInt16(content.count))
        return bytes + content
    }

    static func unicodePath(_ path: String, beside name: String, version: UInt8 = 1) -> [UInt8] {
        var crc = CRC32()
        crc.update(Array(name.utf8).span.bytes)
        var content = [version]
        content.append(field: crc.value)
        return field(ExtraFields.unicodePathTag, content + Array(path.utf8))
    }

    /// Returns a data descriptor for a header.
    static func descriptor(_ header: CentralHeader, hasSignature: Bool = true) -> [UInt8] {
        var bytes: [UInt8] = []
        if hasSignature { bytes.append(field: ArchiveLayoutValidator.descriptorSignature) }
        for value in [header.crc32, header.compressedSize, header.uncompressedSize] { bytes.append(field: value) }
        return bytes
    }

    /// Moves the sizes and the CRC of an entry to a data descriptor, as in streamed archives.
    mutating func stream(_ index: Int = 0, hasSignature: Bool = true) {
        edit(index) { $0.flags.insert(.dataDescriptor) }
        entries[index].trailer = Self.descriptor(entries[index].central, hasSignature: hasSignature)
        entries[index].local.crc32 = 0
        entries[index].local.compressedSize = 0
        entries[index].local.uncompressedSize = 0
    }

    /// Moves the sizes of an entry to ZIP64 fields in the local header, and in the directory.
    mutating func widen(central: Bool = true) {
        let size = UInt8(entries[0].data.count)
        let field = Self.field(0x0001, [size, 0, 0, 0, 0, 0, 0, 0, size, 0, 0, 0, 0, 0, 0, 0])
        entries[0].local.uncompressedSize = .max
        entries[0].local.compressedSize = .max
        entries[0].localExtra = field
        guard central else { return }
        entries[0].central.uncompressedSize = .max
        entries[0].central.compressedSize = .max
        entries[0].central.extra = field
    }
}

/// Writes an archive of files with the writer.
func pack(_ files: KeyValuePairs<String, [UInt8]>, to path: String) throws {
    var writer = ZipWriter()
    for (name, bytes) in files { try writer.add(bytes, as: name) }
    try writer.write(to: path)
}

/// Opens an archive and extracts it to a subfolder.
func extract(_ bytes: [UInt8], in folder: String, limits: ZipLimits = .none) throws -> [String: [UInt8]] {
    try writeFile(bytes, to: "\(folder)/a.zip")
    try ZipArchive(path: "\(folder)/a.zip", limits: limits).extract(to: "\(folder)/out")
    return try tree("\(folder)/out")
}
