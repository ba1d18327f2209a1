import HostSystem
package import Zip

/// An encoder that writes the entries and then the directory.
struct ArchiveEncoder {
    private static let version: UInt16 = 20
    private static let madeByUnix: UInt16 = 3 << 8 | version
    /// 1980-01-01, the earliest date of MS-DOS.
    private static let date: UInt16 = 1 << 5 | 1
    /// The maximum of each field is reserved, because it refers to ZIP64.
    private static let maximumCount = Int(UInt16.max) - 1
    private static let maximumSize = UInt64(UInt32.max) - 1

    private struct Measure {
        let method: ZipMethod
        var crc = CRC32()
        var compressedSize: UInt64 = 0
        var uncompressedSize: UInt64 = 0
    }

    private let file: FileDescriptor
    private var offset: UInt64 = 0
    private var count = 0
    private var directory: [UInt8] = []

    init(_ file: FileDescriptor) {
        self.file = file
    }

    mutating func append(_ item: ZipWriter.Item) throws(ZipError) {
        do {
            var source = try ContentSource(item.source)
            let dataOffset = offset + UInt64(LocalHeader.size + item.name.count)
            let measure = try encode(&source, item.method, at: dataOffset)
            var header = CentralHeader()
            header.madeBy = Self.madeByUnix
            header.versionNeeded = Self.version
            if !item.name.allSatisfy({ $0 < 0x80 }) { header.flags = .utf8 }
            header.method = measure.method.rawValue
            header.date = Self.date
            header.crc32 = measure.crc.value
            header.compressedSize = try Self.field(measure.compressedSize)
            header.uncompressedSize = try Self.field(measure.uncompressedSize)
            header.externalAttributes = Self.attributes(
                isFolder: item.path.isFolder, isExecutable: source.isExecutable)
            header.offset = try Self.field(offset)
            header.name = item.name
            // The header is written last, because it contains the size and the CRC of the data.
            var local: [UInt8] = []
            LocalHeader(matching: header).append(to: &local)
            try file.write((local + item.name).span.bytes, at: offset)
            header.append(to: &directory)
            offset = dataOffset + measure.compressedSize
            count += 1
        } catch {
            throw error.inEntry(item.path.name)
        }
    }

    mutating func finish() throws(ZipError) {
        guard count <= Self.maximumCount else {
            throw ZipError(.unsupported, detail: "\(count) entries, \(Self.maximumCount) fit without ZIP64")
        }
        var end = EndRecord()
        (end.entriesOnDisk, end.entryCount) = (UInt16(count), UInt16(count))
        end.directorySize = try Self.field(UInt64(directory.count))
        end.directoryOffset = try Self.field(offset)
        end.append(to: &directory)
        try file.write(directory.span.bytes, at: offset)
        // An abandoned deflate stream may have been longer than the stored content.
        try file.truncate(to: offset + UInt64(directory.count))
    }

    private func encode(
        _ source: inout ContentSource, _ method: ZipMethod, at start: UInt64
    ) throws(ZipError) -> Measure {
        let first = try write(&source, method, at: start)
        // Readers with limits reject an unusual ratio because it resembles a zip bomb.
        let (most, overflows) = first.compressedSize.multipliedReportingOverflow(by: ZipLimits.usualRatio)
        let isUsual = overflows || first.uncompressedSize <= most
        if method == .stored || first.compressedSize < first.uncompressedSize && isUsual { return first }
        let stored = try write(&source, .stored, at: start)
        guard stored.crc.value == first.crc.value, stored.uncompressedSize == first.uncompressedSize else {
            throw ZipError(.changedWhileReading)
        }
        return stored
    }

    private func write(
        _ source: inout ContentSource, _ method: ZipMethod, at start: UInt64
    ) throws(ZipError) -> Measure {
        var measure = Measure(method: method)
        let write = { (piece: RawSpan) throws(ZipError) in
            try file.write(piece, at: start + measure.compressedSize)
            measure.compressedSize += UInt64(piece.byteCount)
        }
        var deflater = method == .deflated ? try Deflater() : nil
        try source.forEachPiece { piece throws(ZipError) in
            measure.crc.update(piece)
            measure.uncompressedSize += UInt64(piece.byteCount)
            _ = try Self.field(measure.uncompressedSize)
            if deflater == nil { try write(piece) }
            try deflater?.compress(piece, to: write)
        }
        try deflater?.finish(to: write)
        return measure
    }

    private static func attributes(isFolder: Bool, isExecutable: Bool) -> UInt32 {
        isFolder
            ? UInt32(UnixMode.folder | 0o755) << 16 | UnixMode.dosFolder
            : UInt32(UnixMode.regular | (isExecutable ? 0o755 : 0o644)) << 16
    }

    private static func field(_ size: UInt64) throws(ZipError) -> UInt32 {
        guard size <= maximumSize else {
            throw ZipError(.unsupported, detail: "more than 4 GiB, which needs ZIP64")
        }
        return UInt32(size)
    }
}

extension SignedRecord {
    /// Appends the encoded record. Its names, extra fields and comments must each be shorter than 64 KiB.
    package func append(to bytes: inout [UInt8]) {
        var (copy, writer) = (self, FieldWriter())
        bytes.append(field: Self.signature)
        // A writer throws nothing.
        try? copy.pass(&writer)
        bytes += writer.written
    }
}

private struct FieldWriter: FieldPass {
    var written: [UInt8] = []

    mutating func pass<Field: FixedWidthInteger>(_ value: inout Field) { written.append(field: value) }

    mutating func pass(_ bytes: inout [UInt8], count: UInt16) { written += bytes }
}

extension LocalHeader {
    /// Creates the local header for a directory entry without extra fields.
    package init(matching central: CentralHeader) {
        self.init()
        fields = central.fields
        nameSize = UInt16(clamping: central.name.count)
    }
}

/// The open content of an item, which can be read twice in pieces of the same sizes.
struct ContentSource {
    private static let pieceSize = 1 << 16

    let isExecutable: Bool
    /// The file to read; `nil` for content in memory.
    private var file: FileDescriptor?
    /// The content in memory, or the buffer for pieces of the file.
    private var bytes: [UInt8] = []

    init(_ source: ZipWriter.Item.Source) throws(ZipError) {
        switch source {
        case .folder: isExecutable = false
        case .bytes(let bytes, let executable):
            self.bytes = bytes
            isExecutable = executable
        case .file(let path, let executable):
            let file = try Result { () throws(ZipError) in try FileDescriptor(file: path, followingLinks: false) }
                .mapError { $0.isLink ? ZipError(.specialFile, path: path, detail: "a symbolic link") : $0 }.get()
            guard case .file(_, let mode) = try file.item else {
                throw ZipError(.specialFile, path: path, detail: "not a regular file")
            }
            self.file = file
            isExecutable = executable ?? (mode & 0o100 != 0)
            bytes = [UInt8](repeating: 0, count: Self.pieceSize)
        }
    }

    mutating func forEachPiece(_ body: (RawSpan) throws(ZipError) -> Void) throws(ZipError) {
        var position = 0
        while true {
            let count = try file?.read(into: &bytes, count: Self.pieceSize, at: UInt64(position))
            let piece = count.map { 0..<$0 } ?? position..<min(position + Self.pieceSize, bytes.count)
            if piece.isEmpty { return }
            try body(bytes.span.bytes.extracting(piece))
            position += piece.count
        }
    }
}
