/// An entry of the central directory, parsed but not validated.
///
/// See APPNOTE 4.3.12.
struct CentralHeader {
    static let signature: UInt32 = 0x0201_4b50
    /// The size without name, extra fields and comment.
    static let size = 46

    var madeBy: UInt16
    var versionNeeded: UInt16
    var flags: HeaderFlags
    var method: UInt16
    var time: UInt16
    var date: UInt16
    var crc32: UInt32
    var compressedSize: UInt32
    var uncompressedSize: UInt32
    var disk: UInt16 = 0
    var internalAttributes: UInt16 = 0
    var externalAttributes: UInt32
    var offset: UInt32
    var name: [UInt8]
    var extra: [UInt8] = []
    var comment: [UInt8] = []

    /// The name for errors, with invalid UTF-8 replaced.
    var displayName: String { String(decoding: name, as: UTF8.self) }
}

extension CentralHeader {
    init(_ cursor: inout ByteCursor) throws(ZipError) {
        guard try cursor.u32() == Self.signature else {
            throw ZipError(.malformed, detail: "no entry where the directory should have one")
        }
        madeBy = try cursor.u16()
        versionNeeded = try cursor.u16()
        flags = HeaderFlags(rawValue: try cursor.u16())
        method = try cursor.u16()
        time = try cursor.u16()
        date = try cursor.u16()
        crc32 = try cursor.u32()
        compressedSize = try cursor.u32()
        uncompressedSize = try cursor.u32()
        let nameSize = try cursor.u16()
        let extraSize = try cursor.u16()
        let commentSize = try cursor.u16()
        disk = try cursor.u16()
        internalAttributes = try cursor.u16()
        externalAttributes = try cursor.u32()
        offset = try cursor.u32()
        name = Array(try cursor.take(Int(nameSize)))
        extra = Array(try cursor.take(Int(extraSize)))
        comment = Array(try cursor.take(Int(commentSize)))
    }

    /// Appends the encoded header. Name, extra fields and comment must each be shorter than 64 KiB.
    func append(to bytes: inout [UInt8]) {
        bytes.append(field: Self.signature)
        bytes.append(field: madeBy)
        bytes.append(field: versionNeeded)
        bytes.append(field: flags.rawValue)
        bytes.append(field: method)
        bytes.append(field: time)
        bytes.append(field: date)
        bytes.append(field: crc32)
        bytes.append(field: compressedSize)
        bytes.append(field: uncompressedSize)
        bytes.append(field: UInt16(clamping: name.count))
        bytes.append(field: UInt16(clamping: extra.count))
        bytes.append(field: UInt16(clamping: comment.count))
        bytes.append(field: disk)
        bytes.append(field: internalAttributes)
        bytes.append(field: externalAttributes)
        bytes.append(field: offset)
        bytes += name
        bytes += extra
        bytes += comment
    }
}
