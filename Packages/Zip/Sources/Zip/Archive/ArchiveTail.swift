/// The end of a file, as far as an end record with its comment and a ZIP64 locator can extend.
struct ArchiveTail {
    /// The offset of the tail in the file.
    let offset: UInt64
    private let bytes: [UInt8]

    init(_ file: FileDescriptor) throws(ZipError) {
        let status = try file.status()
        guard status.kind == .file else {
            throw ZipError(.notAnArchive, path: file.path, detail: "not a regular file")
        }
        let longest = UInt64(Zip64Locator.size + EndRecord.size + EndRecord.maximumCommentSize)
        let size = Int(min(status.size, longest))
        offset = status.size - UInt64(size)
        var bytes = [UInt8](repeating: 0, count: size)
        guard try file.read(into: &bytes, count: size, at: offset) == size else {
            throw ZipError(.notAnArchive, path: file.path, detail: "the file shrinks while it is read")
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

    func locator(before start: Int) throws(ZipError) -> Zip64Locator? {
        guard start >= Zip64Locator.size else { return nil }
        var cursor = ByteCursor(bytes[(start - Zip64Locator.size)..<start])
        return try Zip64Locator(&cursor)
    }
}
