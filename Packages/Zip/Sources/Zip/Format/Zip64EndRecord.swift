/// The ZIP64 end of central directory record (APPNOTE 4.3.14), in its first version and without private data.
struct Zip64EndRecord {
    static let signature: UInt32 = 0x0606_4b50
    static let size = 56
    /// What the record says about itself: all that follows its first two fields.
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

/// Where the ZIP64 end record is; stands right before the end record (APPNOTE 4.3.15).
struct Zip64Locator {
    static let signature: UInt32 = 0x0706_4b50
    static let size = 20

    var disk: UInt32 = 0
    var recordOffset: UInt64
    var diskCount: UInt32 = 1
}

extension Zip64Locator {
    /// `nil` for bytes that are no locator.
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
