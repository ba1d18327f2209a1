/// The end of central directory record, which is the last record of every archive.
///
/// See APPNOTE 4.3.16.
package struct EndRecord: SignedRecord {
    package static let signature: UInt32 = 0x0605_4b50
    package static let absence = "no end record"
    package static let size = 22
    static let maximumCommentSize = 0xFFFF

    package var disk: UInt16 = 0
    var directoryDisk: UInt16 = 0
    package var entriesOnDisk: UInt16 = 0
    package var entryCount: UInt16 = 0
    package var directorySize: UInt32 = 0
    package var directoryOffset: UInt32 = 0
    var commentSize: UInt16 = 0

    package init() {}

    package mutating func pass(_ record: inout some FieldPass) throws(ZipError) {
        try record.pass(&disk)
        try record.pass(&directoryDisk)
        try record.pass(&entriesOnDisk)
        try record.pass(&entryCount)
        try record.pass(&directorySize)
        try record.pass(&directoryOffset)
        try record.pass(&commentSize)
    }
}
