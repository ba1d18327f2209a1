/// The tagged fields that tools hang on a header (APPNOTE 4.5). Known decoration (times, owners) is skipped; kept are those
/// that say something about an entry's sizes or name. What is not known is refused: for some readers such a field makes a file a
/// link, or says how to read its content.
struct ExtraFields {
    static let zip64Tag: UInt16 = 0x0001
    static let unicodePathTag: UInt16 = 0x7075
    /// Times of NTFS and of Unix, owners in three forms, a comment in UTF-8, Java's mark of an executable archive, and Android's
    /// alignment.
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

    /// Refuses a Unicode path (version, CRC of the header's name, the name in UTF-8) that does not repeat the header's
    /// name: readers differ in which of the two they take.
    func judgeUnicodePath(beside name: [UInt8]) throws(ZipError) {
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
