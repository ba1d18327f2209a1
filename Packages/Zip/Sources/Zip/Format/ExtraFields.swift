/// The tagged fields that tools hang on a header (APPNOTE 4.5). Most are harmless decoration (times, owners) and
/// are skipped; kept are those that say something about an entry's sizes or name.
struct ExtraFields {
    static let zip64Tag: UInt16 = 0x0001
    static let unicodePathTag: UInt16 = 0x7075

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
            default: continue
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
