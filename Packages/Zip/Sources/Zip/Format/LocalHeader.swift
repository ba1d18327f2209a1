/// The header before an entry's data, without its name and extra fields.
///
/// See APPNOTE 4.3.7.
struct LocalHeader {
    static let signature: UInt32 = 0x0403_4b50
    static let size = 30

    var versionNeeded: UInt16
    var flags: HeaderFlags
    var method: UInt16
    var time: UInt16
    var date: UInt16
    var crc32: UInt32
    var compressedSize: UInt32
    var uncompressedSize: UInt32
    var nameSize: UInt16
    var extraSize: UInt16 = 0
}

extension LocalHeader {
    /// Creates the local header for a directory entry without extra fields.
    init(matching central: CentralHeader) {
        versionNeeded = central.versionNeeded
        flags = central.flags
        method = central.method
        time = central.time
        date = central.date
        crc32 = central.crc32
        compressedSize = central.compressedSize
        uncompressedSize = central.uncompressedSize
        nameSize = UInt16(clamping: central.name.count)
    }

    init(_ cursor: inout ByteCursor) throws(ZipError) {
        guard try cursor.u32() == Self.signature else {
            throw ZipError(.malformed, detail: "no local header where the directory points")
        }
        versionNeeded = try cursor.u16()
        flags = HeaderFlags(rawValue: try cursor.u16())
        method = try cursor.u16()
        time = try cursor.u16()
        date = try cursor.u16()
        crc32 = try cursor.u32()
        compressedSize = try cursor.u32()
        uncompressedSize = try cursor.u32()
        nameSize = try cursor.u16()
        extraSize = try cursor.u16()
    }

    func append(to bytes: inout [UInt8]) {
        bytes.append(field: Self.signature)
        bytes.append(field: versionNeeded)
        bytes.append(field: flags.rawValue)
        bytes.append(field: method)
        bytes.append(field: time)
        bytes.append(field: date)
        bytes.append(field: crc32)
        bytes.append(field: compressedSize)
        bytes.append(field: uncompressedSize)
        bytes.append(field: nameSize)
        bytes.append(field: extraSize)
    }
}
