/// The extra fields of a header, of which Info-ZIP's Unicode path affects the entry's name.
///
/// Harmless known fields (times, owners) are skipped. Unknown fields are rejected, because for some readers they turn a file into a link or
/// change how its content is decoded. See APPNOTE 4.5.
enum ExtraFields {
    static let unicodePathTag: UInt16 = 0x7075
    /// The known harmless fields: times, owners, comments, the mark of an executable Java archive, and Android's alignment.
    private static let decoration: Set<UInt16> = [0x000A, 0x5455, 0x5855, 0x7855, 0x7875, 0x6375, 0xCAFE, 0xD935]

    /// Throws an error for an unknown field, and for a Unicode path that differs from the header's name, because readers differ in which one
    /// they use.
    ///
    /// The field of the path consists of a version, the CRC of the header's name, and the name in UTF-8.
    static func validate(_ bytes: some Collection<UInt8>, beside name: [UInt8]) throws(ZipError) {
        var cursor = ByteCursor(Array(bytes)[...])
        var unicodePath: ArraySlice<UInt8>?
        while !cursor.isAtEnd {
            let tag = try cursor.field(UInt16.self)
            let size = try cursor.field(UInt16.self)
            let content = try cursor.take(Int(size))
            switch tag {
            case unicodePathTag:
                guard unicodePath == nil else { throw ZipError(.malformed, "two Unicode path fields") }
                unicodePath = content
            case let tag where decoration.contains(tag): continue
            default:
                throw ZipError(
                    .unsupported, "an extra field of the unknown kind 0x\(String(tag, radix: 16))")
            }
        }
        guard let unicodePath else { return }
        var crc = CRC32()
        crc.update(name.span.bytes)
        var expected: [UInt8] = [1]
        expected.append(field: crc.value)
        guard unicodePath == (expected + name)[...] else {
            throw ZipError(.unsafeName, "a second, different name in an extra field")
        }
    }
}
