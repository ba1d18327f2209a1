/// The end of central directory record, which is the last record of every archive.
///
/// See APPNOTE 4.3.16.
struct EndRecord {
    static let signature: UInt32 = 0x0605_4b50
    static let size = 22
    static let maximumCommentSize = 0xFFFF

    var disk: UInt16 = 0
    var directoryDisk: UInt16 = 0
    var entriesOnDisk: UInt16
    var entryCount: UInt16
    var directorySize: UInt32
    var directoryOffset: UInt32
    var commentSize: UInt16 = 0
}

extension EndRecord {
    init(_ cursor: inout ByteCursor) throws(ZipError) {
        guard try cursor.u32() == Self.signature else {
            throw ZipError(.malformed, detail: "no end record")
        }
        disk = try cursor.u16()
        directoryDisk = try cursor.u16()
        entriesOnDisk = try cursor.u16()
        entryCount = try cursor.u16()
        directorySize = try cursor.u32()
        directoryOffset = try cursor.u32()
        commentSize = try cursor.u16()
    }

    func append(to bytes: inout [UInt8]) {
        bytes.append(field: Self.signature)
        bytes.append(field: disk)
        bytes.append(field: directoryDisk)
        bytes.append(field: entriesOnDisk)
        bytes.append(field: entryCount)
        bytes.append(field: directorySize)
        bytes.append(field: directoryOffset)
        bytes.append(field: commentSize)
    }
}
