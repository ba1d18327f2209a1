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
            let tag = try cursor.u16()
            let size = try cursor.u16()
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
        var cursor = ByteCursor(unicodePath)
        let version = try cursor.take(1)
        var crc = CRC32()
        crc.update(name.span.bytes)
        guard version.first == 1, try cursor.u32() == crc.value, try cursor.take(cursor.remaining) == name[...] else {
            throw ZipError(.unsafeName, detail: "a second, different name in an extra field")
        }
    }
}
