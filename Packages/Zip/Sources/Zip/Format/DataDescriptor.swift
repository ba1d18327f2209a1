/// CRC and sizes behind an entry's data (APPNOTE 4.3.9), with or without the customary signature.
struct DataDescriptor {
    static let signature: UInt32 = 0x0807_4b50

    let crc32: UInt32
    let compressedSize: UInt32
    let uncompressedSize: UInt32

    /// `bytes` are all that lie between the data and the next record: the length tells the two forms apart.
    init(_ bytes: ArraySlice<UInt8>) throws(ZipError) {
        var cursor = ByteCursor(bytes)
        if bytes.count == 16, try cursor.u32() != Self.signature {
            throw ZipError(.malformed, detail: "no data descriptor behind the data")
        }
        crc32 = try cursor.u32()
        compressedSize = try cursor.u32()
        uncompressedSize = try cursor.u32()
        guard cursor.isAtEnd else {
            throw ZipError(.malformed, detail: "no data descriptor behind the data")
        }
    }
}
