/// The extra fields of a header that affect an entry's sizes or name.
///
/// Harmless known fields (times, owners) are skipped. Unknown fields are rejected, because for some readers they turn a file into a link or
/// change how its content is decoded. See APPNOTE 4.5.
struct ExtraFields {
    static let zip64Tag: UInt16 = 0x0001
    static let unicodePathTag: UInt16 = 0x7075
    /// The known harmless fields: times, owners, comments, the mark of an executable Java archive, and Android's alignment.
    private static let decoration: Set<UInt16> = [0x000A, 0x5455, 0x5855, 0x7855, 0x7875, 0x6375, 0xCAFE, 0xD935]

    /// The content of the ZIP64 field.
    private(set) var zip64: ArraySlice<UInt8>?
    /// The content of Info-ZIP's Unicode path field.
    private(set) var unicodePath: ArraySlice<UInt8>?

    init(_ bytes: [UInt8]) throws(ZipError) {
        var cursor = ByteCursor(bytes[...])
        while !cursor.isAtEnd {
            let tag = try cursor.field(UInt16.self)
            let size = try cursor.field(UInt16.self)
            let content = try cursor.take(Int(size))
            switch tag {
            case Self.zip64Tag:
                guard zip64 == nil else { throw ZipError(.malformed, detail: "two ZIP64 fields") }
                zip64 = content
            case Self.unicodePathTag:
                guard unicodePath == nil else { throw ZipError(.malformed, detail: "two Unicode path fields") }
                unicodePath = content
            case let tag where Self.decoration.contains(tag): continue
            default:
                throw ZipError(
                    .unsupported, detail: "an extra field of the unknown kind 0x\(String(tag, radix: 16))")
            }
        }
    }

    /// Throws an error for a Unicode path that differs from the header's name, because readers differ in which one they use.
    ///
    /// The field consists of a version, the CRC of the header's name, and the name in UTF-8.
    func validateUnicodePath(beside name: [UInt8]) throws(ZipError) {
        guard let unicodePath else { return }
        var crc = CRC32()
        crc.update(name.span.bytes)
        var expected: [UInt8] = [1]
        expected.append(field: crc.value)
        guard unicodePath == (expected + name)[...] else {
            throw ZipError(.unsafeName, detail: "a second, different name in an extra field")
        }
    }
}

/// The sizes and the offset of an entry, taken from its ZIP64 extra field for header fields with all bits set.
///
/// See APPNOTE 4.5.3.
struct EntrySizes {
    let uncompressed: UInt64
    let compressed: UInt64
    let offset: UInt64

    /// Reads the sizes in the directory. The extra field must contain exactly the required values, in the specified order.
    init(_ header: CentralHeader, _ extra: ExtraFields) throws(ZipError) {
        let fields = [header.uncompressedSize, header.compressedSize, header.offset]
        let isReferredTo = fields.contains(.max) || header.disk == .max
        try Self.refuseOneSided(extra, isReferredTo: isReferredTo)
        var cursor = ByteCursor(extra.zip64 ?? [])
        var values: [UInt64] = []
        for field in fields { values.append(field == .max ? try cursor.field() : UInt64(field)) }
        let disk = header.disk == .max ? try cursor.field() : UInt32(header.disk)
        guard disk == 0 else { throw ZipError(.unsupported, detail: "an archive on several disks") }
        guard cursor.isAtEnd else {
            throw ZipError(.malformed, detail: "a ZIP64 field with values that nothing refers to")
        }
        (uncompressed, compressed, offset) = (values[0], values[1], values[2])
    }

    /// Returns the sizes in a local header. Its extra field always contains both, and they must agree with the header.
    static func local(
        _ header: LocalHeader, _ extra: ExtraFields
    ) throws(ZipError) -> (uncompressed: UInt64, compressed: UInt64) {
        let fields = [header.uncompressedSize, header.compressedSize]
        try refuseOneSided(extra, isReferredTo: fields.contains(.max))
        guard let zip64 = extra.zip64 else {
            return (UInt64(header.uncompressedSize), UInt64(header.compressedSize))
        }
        var cursor = ByteCursor(zip64)
        let values = (uncompressed: try cursor.field(UInt64.self), compressed: try cursor.field(UInt64.self))
        guard cursor.isAtEnd else {
            throw ZipError(.malformed, detail: "a ZIP64 field with values that nothing refers to")
        }
        for (field, value) in zip(fields, [values.uncompressed, values.compressed]) {
            guard field == .max || UInt64(field) == value else {
                throw ZipError(.headerMismatch, detail: "the local header and its ZIP64 field have other sizes")
            }
        }
        return values
    }

    private static func refuseOneSided(_ extra: ExtraFields, isReferredTo: Bool) throws(ZipError) {
        guard !isReferredTo || extra.zip64 != nil else {
            throw ZipError(.malformed, detail: "the ZIP64 field that it refers to is missing")
        }
        guard isReferredTo || extra.zip64 == nil else {
            throw ZipError(.malformed, detail: "a ZIP64 field that nothing refers to")
        }
    }
}
