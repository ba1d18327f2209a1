import HostSystem

/// The entries of the central directory, parsed but not validated.
struct CentralDirectory {
    /// The maximum size of the directory, which is enough for 65,534 entries with names of 400 bytes.
    ///
    /// An untrusted archive must not use more memory.
    private static let maximumSize = 32 << 20

    let offset: UInt64
    let headers: [CentralHeader]

    init(_ file: FileDescriptor, limits: ZipLimits) throws(ZipError) {
        let tail = try ArchiveTail(file)
        let (end, start) = try tail.endRecord()
        guard end.entryCount != .max, end.directorySize != .max, end.directoryOffset != .max,
            try !tail.hasZip64Locator(before: start)
        else { throw ZipError(.unsupported, "a ZIP64 end record, for more than 4 GiB or 65,534 entries") }
        guard end.disk == 0, end.directoryDisk == 0, end.entriesOnDisk == end.entryCount else {
            throw ZipError(.unsupported, "an archive on several disks")
        }
        let (count, size) = (Int(end.entryCount), Int(end.directorySize))
        offset = UInt64(end.directoryOffset)
        guard offset + UInt64(size) == tail.offset + UInt64(start) else {
            throw ZipError(.malformed, "the directory does not end at the end record")
        }
        guard count <= limits.entryCount else {
            throw ZipError(.limitExceeded, "\(count) entries, \(limits.entryCount) allowed")
        }
        guard count <= size / CentralHeader.size else {
            throw ZipError(.malformed, "\(count) entries in a directory of \(size) bytes")
        }
        guard size <= Self.maximumSize else {
            throw ZipError(.limitExceeded, "a directory of \(size) bytes, \(Self.maximumSize) allowed")
        }
        var cursor = ByteCursor(try file.bytes(atMost: size, at: offset)[...])
        headers = try (0..<count).map { _ throws(ZipError) in try CentralHeader(&cursor) }
        guard cursor.isAtEnd else {
            throw ZipError(.malformed, "\(cursor.remaining) bytes in the directory belong to no entry")
        }
    }
}

/// A directory entry with valid fields.
struct DirectoryEntry {
    let header: CentralHeader
    let path: EntryPath
    let method: ZipMethod
}

/// The end of a file, as far as an end record with its comment and a ZIP64 locator can extend.
struct ArchiveTail {
    /// The size of the locator of the ZIP64 end record, see APPNOTE 4.3.15.
    private static let locatorSize = 20

    /// The offset of the tail in the file.
    let offset: UInt64
    private let bytes: [UInt8]

    init(_ file: FileDescriptor) throws(ZipError) {
        guard case .file(let length, _) = try file.item else {
            throw ZipError(.notAnArchive, path: file.pathText, detail: "not a regular file")
        }
        let longest = UInt64(Self.locatorSize + EndRecord.size + EndRecord.maximumCommentSize)
        let size = Int(min(UInt64(length), longest))
        offset = UInt64(length) - UInt64(size)
        bytes = try file.bytes(atMost: size, at: offset)
        guard bytes.count == size else {
            throw ZipError(.notAnArchive, path: file.pathText, detail: "the file shrinks while it is read")
        }
    }

    /// Finds the end record and its index in the tail.
    ///
    /// It must be the last signature, its comment must end with the file, and no other record may fit as well; otherwise two readers could
    /// find different directories.
    func endRecord() throws(ZipError) -> (EndRecord, start: Int) {
        var found: (EndRecord, start: Int)?
        for start in signatures.reversed() {
            var cursor = ByteCursor(bytes[start...])
            let end = try EndRecord(&cursor)
            let endsWithFile = Int(end.commentSize) == cursor.remaining
            if found == nil {
                guard endsWithFile else {
                    throw ZipError(.malformed, "the end record does not end with the file")
                }
                found = (end, start)
            } else if endsWithFile {
                throw ZipError(.malformed, "two end records")
            }
        }
        guard let found else { throw ZipError(.notAnArchive, "no end record") }
        return found
    }

    /// The indices, in ascending order, of the signatures at which a whole end record fits.
    private var signatures: [Int] {
        bytes.withUnsafeBytes { bytes in
            var found: [Int] = []
            // This loop sees 64 KiB of each archive, so it also has to be fast in a debug build, in which iterators are slow.
            var start = 0
            while start <= bytes.count - EndRecord.size {
                if bytes[start] == 0x50, bytes[start + 1] == 0x4b, bytes[start + 2] == 5, bytes[start + 3] == 6 {
                    found.append(start)
                }
                start += 1
            }
            return found
        }
    }

    func hasZip64Locator(before start: Int) throws(ZipError) -> Bool {
        guard start >= Self.locatorSize else { return false }
        var cursor = ByteCursor(bytes[(start - Self.locatorSize)..<start])
        return try cursor.field() == UInt32(0x0706_4b50)
    }
}
