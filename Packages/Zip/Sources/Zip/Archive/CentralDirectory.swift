/// The end record and all entries of the central directory, found and read but, entry by entry, unjudged.
struct CentralDirectory {
    /// Enough for 65,534 entries with names of 400 bytes; more is not worth a stranger's memory.
    static let maximumSize = 32 << 20

    let offset: UInt64
    let headers: [CentralHeader]

    init(_ file: FileDescriptor, limits: ZipLimits) throws(ZipError) {
        let (end, endOffset) = try Self.findEnd(file)
        try Self.judge(end, at: endOffset, limits: limits)
        var bytes = [UInt8](repeating: 0, count: Int(end.directorySize))
        let read = try file.read(into: &bytes, count: bytes.count, at: UInt64(end.directoryOffset))
        var cursor = ByteCursor(bytes.prefix(read))
        var headers: [CentralHeader] = []
        for _ in 0..<end.entryCount {
            headers.append(try CentralHeader(&cursor))
        }
        guard cursor.isAtEnd else {
            throw ZipError(.malformed, detail: "\(cursor.remaining) bytes in the directory belong to no entry")
        }
        offset = UInt64(end.directoryOffset)
        self.headers = headers
    }

    /// The last signature in the file must be the end record, and its comment must end with the file:
    /// otherwise two readers may find two different directories.
    private static func findEnd(_ file: FileDescriptor) throws(ZipError) -> (EndRecord, offset: UInt64) {
        let status = try file.status()
        guard status.kind == .file else {
            throw ZipError(.notAnArchive, path: file.path, detail: "not a regular file")
        }
        let tailSize = Int(
            min(status.size, UInt64(EndRecord.zip64LocatorSize + EndRecord.size + EndRecord.maximumCommentSize)))
        let tailOffset = status.size - UInt64(tailSize)
        var tail = [UInt8](repeating: 0, count: tailSize)
        guard try file.read(into: &tail, count: tailSize, at: tailOffset) == tailSize else {
            throw ZipError(.notAnArchive, path: file.path, detail: "the file shrinks while it is read")
        }
        func isLocator(_ start: Int) -> Bool {
            start >= 0 && tail[start...].starts(with: EndRecord.zip64LocatorSignature)
        }
        for start in stride(from: tailSize - EndRecord.size, through: 0, by: -1) {
            guard tail[start] == 0x50, tail[start + 1] == 0x4b, tail[start + 2] == 5, tail[start + 3] == 6 else {
                continue
            }
            var cursor = ByteCursor(tail[start...])
            let end = try EndRecord(&cursor)
            guard Int(end.commentSize) == cursor.remaining else {
                throw ZipError(.malformed, detail: "the end record does not end with the file")
            }
            // Readers differ in whether it counts when the end record's own fields suffice.
            guard !isLocator(start - EndRecord.zip64LocatorSize) else {
                throw ZipError(.unsupported, detail: "a ZIP64 archive")
            }
            return (end, tailOffset + UInt64(start))
        }
        throw ZipError(.notAnArchive, path: file.path, detail: "no end record")
    }

    private static func judge(_ end: EndRecord, at endOffset: UInt64, limits: ZipLimits) throws(ZipError) {
        guard end.entryCount != .max, end.directorySize != .max, end.directoryOffset != .max else {
            throw ZipError(.unsupported, detail: "a ZIP64 archive")
        }
        guard end.disk == 0, end.directoryDisk == 0, end.entriesOnDisk == end.entryCount else {
            throw ZipError(.unsupported, detail: "an archive on several disks")
        }
        guard UInt64(end.directoryOffset) + UInt64(end.directorySize) == endOffset else {
            throw ZipError(.malformed, detail: "the directory does not end at the end record")
        }
        try limits.check(entryCount: Int(end.entryCount))
        guard end.directorySize <= maximumSize else {
            throw ZipError(.limitExceeded, detail: "a directory of \(end.directorySize) bytes, \(maximumSize) allowed")
        }
    }
}
