import HostSystem

/// The validation of a whole archive before any of it is used.
///
/// All rules that make the reader strict are called from here, so a valid archive has only one interpretation.
struct ArchiveValidator {
    let file: FileDescriptor
    let limits: ZipLimits

    /// Returns the validated entries with their paths, and the uncompressed size of all files together.
    func validate() throws(ZipError) -> ([ZipEntry], [EntryPath], UInt64) {
        let directory = try CentralDirectory(file, limits: limits)
        let entries = try directory.headers.map { header throws(ZipError) in
            try HeaderRules.validate(header, limits: limits)
        }
        let total = entries.reduce(0) { $0 + UInt64($1.header.uncompressedSize) }
        guard total <= limits.totalUncompressedSize else {
            throw ZipError(
                .limitExceeded, "\(total) bytes uncompressed, \(limits.totalUncompressedSize) allowed")
        }
        try NameClash.validate(entries.map(\.path))
        let dataOffsets = try ArchiveLayoutValidator(file: file, entries: entries, end: directory.offset).validate()

        var (validated, paths): ([ZipEntry], [EntryPath]) = ([], [])
        // The archive's root, which `bsdtar` lists, is the target folder itself and not an entry.
        for (entry, dataOffset) in zip(entries, dataOffsets) where !entry.path.isRoot {
            paths.append(entry.path)
            validated.append(
                ZipEntry(
                    name: entry.path.name,
                    method: entry.method,
                    crc32: entry.header.crc32,
                    compressedSize: UInt64(entry.header.compressedSize),
                    uncompressedSize: UInt64(entry.header.uncompressedSize),
                    offset: UInt64(entry.header.offset),
                    mode: UnixMode(entry.header).permissions ?? (entry.path.isFolder ? 0o755 : 0o644),
                    dataOffset: dataOffset))
        }
        return (validated, paths, total)
    }
}

/// The check that the entries fill the file without gaps or overlaps, and that local headers and directory agree.
///
/// So no entry can share bytes with another, and nothing can be hidden between entries for a reader that reads the file sequentially.
struct ArchiveLayoutValidator {
    let file: FileDescriptor
    let entries: [DirectoryEntry]
    /// The offset of the directory.
    let end: UInt64

    /// Returns the offset of each entry's data, in the order of the directory.
    func validate() throws(ZipError) -> [UInt64] {
        var dataOffsets = [UInt64](repeating: 0, count: entries.count)
        let order = entries.indices.sorted { entries[$0].header.offset < entries[$1].header.offset }
        let starts = order.map { UInt64(entries[$0].header.offset) } + [end]
        guard starts.first == 0 else {
            throw ZipError(.malformed, "bytes before the first entry")
        }
        for (rank, index) in order.enumerated() {
            do {
                dataOffsets[index] = try validate(entries[index].header, at: starts[rank], endsAt: starts[rank + 1])
            } catch {
                throw error.inEntry(entries[index].header.displayName)
            }
        }
        return dataOffsets
    }

    private func validate(
        _ header: CentralHeader, at start: UInt64, endsAt end: UInt64
    ) throws(ZipError) -> UInt64 {
        var head = ByteCursor(try bytes(at: start, count: LocalHeader.size, before: end)[...])
        let local = try LocalHeader(&head)
        try compare(local, header)
        let rest = try bytes(
            at: start + UInt64(LocalHeader.size), count: header.name.count + Int(local.extraSize), before: end)
        guard rest.starts(with: header.name) else {
            throw ZipError(.headerMismatch, "the local header has another name")
        }
        try ExtraFields.validate(rest.dropFirst(header.name.count), beside: header.name)
        let dataOffset = start + UInt64(LocalHeader.size + rest.count)
        guard header.compressedSize <= end - dataOffset else {
            throw ZipError(.malformed, "its data runs into the next record")
        }
        try validateTrailer(header, from: dataOffset + UInt64(header.compressedSize), to: end)
        return dataOffset
    }

    /// Compares both headers. With a data descriptor, the local header may contain zeros for the CRC and the sizes.
    private func compare(_ local: LocalHeader, _ central: CentralHeader) throws(ZipError) {
        func mismatch(_ detail: String) -> ZipError { ZipError(.headerMismatch, detail) }
        guard local.flags.subtracting(.deflateLevel) == central.flags.subtracting(.deflateLevel) else {
            throw mismatch("the local header has other flags")
        }
        guard local.method == central.method else { throw mismatch("the local header has another method") }
        guard local.time == central.time, local.date == central.date else {
            throw mismatch("the local header has another time")
        }
        guard Int(local.nameSize) == central.name.count else { throw mismatch("the local header has another name") }
        let mayBeZero = central.flags.contains(.dataDescriptor)
        for field in [\HeaderFields.crc32, \.compressedSize, \.uncompressedSize] {
            let value = local.fields[keyPath: field]
            guard value == central.fields[keyPath: field] || mayBeZero && value == 0 else {
                throw mismatch("the local header has another CRC or size")
            }
        }
    }

    /// Checks the bytes after an entry's data: nothing, or a data descriptor, with or without the customary signature.
    ///
    /// See APPNOTE 4.3.9.
    private func validateTrailer(_ header: CentralHeader, from start: UInt64, to end: UInt64) throws(ZipError) {
        let size = end - start
        guard header.flags.contains(.dataDescriptor) else {
            guard size == 0 else { throw ZipError(.malformed, "\(size) bytes after it belong to no entry") }
            return
        }
        guard [12, 16].contains(size) else {
            throw ZipError(.malformed, "\(size) bytes where its data descriptor should be")
        }
        var cursor = ByteCursor(try bytes(at: start, count: Int(size), before: end)[...])
        if size == 16, try cursor.field() != Self.descriptorSignature {
            throw ZipError(.malformed, "no data descriptor after the data")
        }
        for expected in [header.crc32, header.compressedSize, header.uncompressedSize] {
            guard try cursor.field() == expected else {
                throw ZipError(.headerMismatch, "the data descriptor has another CRC or size")
            }
        }
    }

    static let descriptorSignature: UInt32 = 0x0807_4b50

    private func bytes(at offset: UInt64, count: Int, before end: UInt64) throws(ZipError) -> [UInt8] {
        guard offset <= end, UInt64(count) <= end - offset else {
            throw ZipError(.malformed, "its header runs into the next record")
        }
        let bytes = try file.bytes(atMost: count, at: offset)
        guard bytes.count == count else { throw ZipError(.malformed, "the file ends inside its header") }
        return bytes
    }
}
