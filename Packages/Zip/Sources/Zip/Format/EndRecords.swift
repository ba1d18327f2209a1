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

/// The ZIP64 end of central directory record in its first version, without private data.
///
/// See APPNOTE 4.3.14.
struct Zip64EndRecord {
    static let signature: UInt32 = 0x0606_4b50
    static let size = 56
    /// The size that the record declares: that of all fields after the first two.
    static let restSize: UInt64 = 44

    var restSize = Zip64EndRecord.restSize
    var madeBy: UInt16 = 3 << 8 | 45
    var versionNeeded: UInt16 = 45
    var disk: UInt32 = 0
    var directoryDisk: UInt32 = 0
    var entriesOnDisk: UInt64
    var entryCount: UInt64
    var directorySize: UInt64
    var directoryOffset: UInt64
}

extension Zip64EndRecord {
    init(_ cursor: inout ByteCursor) throws(ZipError) {
        guard try cursor.u32() == Self.signature else {
            throw ZipError(.malformed, detail: "no ZIP64 end record before its locator")
        }
        restSize = try cursor.u64()
        madeBy = try cursor.u16()
        versionNeeded = try cursor.u16()
        disk = try cursor.u32()
        directoryDisk = try cursor.u32()
        entriesOnDisk = try cursor.u64()
        entryCount = try cursor.u64()
        directorySize = try cursor.u64()
        directoryOffset = try cursor.u64()
    }

    func append(to bytes: inout [UInt8]) {
        bytes.append(field: Self.signature)
        bytes.append(field: restSize)
        bytes.append(field: madeBy)
        bytes.append(field: versionNeeded)
        bytes.append(field: disk)
        bytes.append(field: directoryDisk)
        bytes.append(field: entriesOnDisk)
        bytes.append(field: entryCount)
        bytes.append(field: directorySize)
        bytes.append(field: directoryOffset)
    }
}

/// The locator of the ZIP64 end record, which directly precedes the end record.
///
/// See APPNOTE 4.3.15.
struct Zip64Locator {
    static let signature: UInt32 = 0x0706_4b50
    static let size = 20

    var disk: UInt32 = 0
    var recordOffset: UInt64
    var diskCount: UInt32 = 1
}

extension Zip64Locator {
    /// Parses a locator. Returns nil for bytes that are not one.
    init?(_ cursor: inout ByteCursor) throws(ZipError) {
        guard try cursor.u32() == Self.signature else { return nil }
        disk = try cursor.u32()
        recordOffset = try cursor.u64()
        diskCount = try cursor.u32()
    }

    func append(to bytes: inout [UInt8]) {
        bytes.append(field: Self.signature)
        bytes.append(field: disk)
        bytes.append(field: recordOffset)
        bytes.append(field: diskCount)
    }
}
