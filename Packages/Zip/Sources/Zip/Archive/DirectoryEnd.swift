/// The validated location and size of the directory, from the records at the end of an archive.
struct DirectoryEnd {
    /// The maximum size of the directory, which is enough for 65,534 entries with names of 400 bytes.
    ///
    /// An untrusted archive must not use more memory.
    static let maximumDirectorySize: UInt64 = 32 << 20

    let entryCount: UInt64
    let directoryOffset: UInt64
    let directorySize: UInt64

    init(_ file: FileDescriptor, limits: ZipLimits) throws(ZipError) {
        let tail = try ArchiveTail(file)
        let (end, start) = try tail.endRecord()
        let offset = tail.offset + UInt64(start)
        if let locator = try tail.locator(before: start) {
            let record = try Self.zip64Record(locator, locatorOffset: offset - UInt64(Zip64Locator.size), file)
            try Self.compare(record, end)
            entryCount = record.entryCount
            directoryOffset = record.directoryOffset
            directorySize = record.directorySize
            try validate(endsAt: locator.recordOffset, limits: limits)
        } else {
            guard end.entryCount != .max, end.directorySize != .max, end.directoryOffset != .max else {
                throw ZipError(.malformed, detail: "the ZIP64 end record that it refers to is missing")
            }
            guard end.disk == 0, end.directoryDisk == 0, end.entriesOnDisk == end.entryCount else {
                throw ZipError(.unsupported, detail: "an archive on several disks")
            }
            entryCount = UInt64(end.entryCount)
            directoryOffset = UInt64(end.directoryOffset)
            directorySize = UInt64(end.directorySize)
            try validate(endsAt: offset, limits: limits)
        }
    }

    private func validate(endsAt end: UInt64, limits: ZipLimits) throws(ZipError) {
        guard directorySize <= end, directoryOffset == end - directorySize else {
            throw ZipError(.malformed, detail: "the directory does not end at the end record")
        }
        try limits.check(entryCount: Int(clamping: entryCount))
        guard entryCount <= directorySize / UInt64(CentralHeader.size) else {
            throw ZipError(.malformed, detail: "\(entryCount) entries in a directory of \(directorySize) bytes")
        }
        guard directorySize <= Self.maximumDirectorySize else {
            throw ZipError(
                .limitExceeded, detail: "a directory of \(directorySize) bytes, \(Self.maximumDirectorySize) allowed")
        }
    }

    /// Reads the ZIP64 end record. It must precede its locator directly, because readers that ignore the locator look there.
    private static func zip64Record(
        _ locator: Zip64Locator, locatorOffset: UInt64, _ file: FileDescriptor
    ) throws(ZipError) -> Zip64EndRecord {
        guard locator.disk == 0, locator.diskCount == 1 else {
            throw ZipError(.unsupported, detail: "an archive on several disks")
        }
        let size = UInt64(Zip64EndRecord.size)
        guard locatorOffset >= size, locator.recordOffset == locatorOffset - size else {
            throw ZipError(.malformed, detail: "the ZIP64 end record does not end at its locator")
        }
        var bytes = [UInt8](repeating: 0, count: Zip64EndRecord.size)
        let read = try file.read(into: &bytes, count: bytes.count, at: locator.recordOffset)
        var cursor = ByteCursor(bytes.prefix(read))
        let record = try Zip64EndRecord(&cursor)
        guard record.restSize == Zip64EndRecord.restSize else {
            throw ZipError(.malformed, detail: "the ZIP64 end record does not end at its locator")
        }
        guard record.disk == 0, record.directoryDisk == 0, record.entriesOnDisk == record.entryCount else {
            throw ZipError(.unsupported, detail: "an archive on several disks")
        }
        return record
    }

    /// Compares the two end records.
    ///
    /// Each field of the short record must have all bits set or the same value as in the long one, because some readers use only the short
    /// one.
    private static func compare(_ record: Zip64EndRecord, _ end: EndRecord) throws(ZipError) {
        guard end.disk == 0 || end.disk == .max, end.directoryDisk == 0 || end.directoryDisk == .max else {
            throw ZipError(.unsupported, detail: "an archive on several disks")
        }
        guard end.entriesOnDisk == .max || UInt64(end.entriesOnDisk) == record.entriesOnDisk,
            end.entryCount == .max || UInt64(end.entryCount) == record.entryCount,
            end.directorySize == .max || UInt64(end.directorySize) == record.directorySize,
            end.directoryOffset == .max || UInt64(end.directoryOffset) == record.directoryOffset
        else {
            throw ZipError(.headerMismatch, detail: "the end record and the ZIP64 end record disagree")
        }
    }
}
