/// The CRC and the sizes after an entry's data, with or without the customary signature.
///
/// See APPNOTE 4.3.9.
struct DataDescriptor {
    static let signature: UInt32 = 0x0807_4b50

    var crc32: UInt32
    var compressedSize: UInt64
    var uncompressedSize: UInt64
}

extension DataDescriptor {
    /// The possible sizes, without and with signature.
    static func sizes(isZip64: Bool) -> [UInt64] { isZip64 ? [20, 24] : [12, 16] }

    /// Parses all bytes between the data and the next record. Their number determines the format.
    init(_ bytes: ArraySlice<UInt8>, isZip64: Bool) throws(ZipError) {
        var cursor = ByteCursor(bytes)
        if UInt64(bytes.count) == Self.sizes(isZip64: isZip64).last, try cursor.u32() != Self.signature {
            throw ZipError(.malformed, detail: "no data descriptor after the data")
        }
        crc32 = try cursor.u32()
        compressedSize = isZip64 ? try cursor.u64() : UInt64(try cursor.u32())
        uncompressedSize = isZip64 ? try cursor.u64() : UInt64(try cursor.u32())
        guard cursor.isAtEnd else {
            throw ZipError(.malformed, detail: "no data descriptor after the data")
        }
    }
}
