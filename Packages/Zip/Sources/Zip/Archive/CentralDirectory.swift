import HostSystem

/// The entries of the central directory, parsed but not validated.
struct CentralDirectory {
    let offset: UInt64
    let headers: [CentralHeader]

    init(_ file: FileDescriptor, limits: ZipLimits) throws(ZipError) {
        let end = try DirectoryEnd(file, limits: limits)
        // `DirectoryEnd` has checked that this is not larger than the file.
        var bytes = [UInt8](repeating: 0, count: Int(end.directorySize))
        let read = try file.read(into: &bytes, count: bytes.count, at: end.directoryOffset)
        var cursor = ByteCursor(bytes.prefix(read))
        var headers: [CentralHeader] = []
        headers.reserveCapacity(end.entryCount)
        for _ in 0..<end.entryCount {
            headers.append(try CentralHeader(&cursor))
        }
        guard cursor.isAtEnd else {
            throw ZipError(.malformed, detail: "\(cursor.remaining) bytes in the directory belong to no entry")
        }
        offset = end.directoryOffset
        self.headers = headers
    }
}

/// A directory entry with valid fields and with the sizes from its ZIP64 field, if any.
struct DirectoryEntry {
    let header: CentralHeader
    let path: EntryPath
    let method: ZipMethod
    let sizes: EntrySizes

    /// A Boolean value that indicates whether a size exceeds 32 bits, whose maximum refers to the ZIP64 field.
    var needsZip64: Bool { max(sizes.compressed, sizes.uncompressed) >= UInt64(UInt32.max) }
}

/// The validated location and size of the directory, from the records at the end of an archive.
struct DirectoryEnd {
    /// The maximum size of the directory, which is enough for 65,534 entries with names of 400 bytes.
    ///
    /// An untrusted archive must not use more memory.
    static let maximumDirectorySize: UInt64 = 32 << 20

    let entryCount: Int
    let directoryOffset: UInt64
    let directorySize: UInt64

    init(_ file: FileDescriptor, limits: ZipLimits) throws(ZipError) {
        let tail = try ArchiveTail(file)
        let (end, start) = try tail.endRecord()
        guard end.entryCount != .max, end.directorySize != .max, end.directoryOffset != .max,
            try !tail.hasZip64Locator(before: start)
        else { throw ZipError(.unsupported, detail: "a ZIP64 end record, for more than 4 GiB or 65,534 entries") }
        guard end.disk == 0, end.directoryDisk == 0, end.entriesOnDisk == end.entryCount else {
            throw ZipError(.unsupported, detail: "an archive on several disks")
        }
        entryCount = Int(end.entryCount)
        directoryOffset = UInt64(end.directoryOffset)
        directorySize = UInt64(end.directorySize)
        try validate(endsAt: tail.offset + UInt64(start), limits: limits)
    }

    private func validate(endsAt end: UInt64, limits: ZipLimits) throws(ZipError) {
        guard directorySize <= end, directoryOffset == end - directorySize else {
            throw ZipError(.malformed, detail: "the directory does not end at the end record")
        }
        guard entryCount <= limits.entryCount else {
            throw ZipError(.limitExceeded, detail: "\(entryCount) entries, \(limits.entryCount) allowed")
        }
        guard entryCount <= Int(directorySize) / CentralHeader.size else {
            throw ZipError(.malformed, detail: "\(entryCount) entries in a directory of \(directorySize) bytes")
        }
        guard directorySize <= Self.maximumDirectorySize else {
            throw ZipError(
                .limitExceeded, detail: "a directory of \(directorySize) bytes, \(Self.maximumDirectorySize) allowed")
        }
    }
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
        var bytes = [UInt8](repeating: 0, count: size)
        guard try file.read(into: &bytes, count: size, at: offset) == size else {
            throw ZipError(.notAnArchive, path: file.pathText, detail: "the file shrinks while it is read")
        }
        self.bytes = bytes
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
                    throw ZipError(.malformed, detail: "the end record does not end with the file")
                }
                found = (end, start)
            } else if endsWithFile {
                throw ZipError(.malformed, detail: "two end records")
            }
        }
        guard let found else { throw ZipError(.notAnArchive, detail: "no end record") }
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
