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
        var entries: [DirectoryEntry] = []
        entries.reserveCapacity(directory.headers.count)
        var total: UInt64 = 0
        for header in directory.headers {
            let entry = try HeaderRules.validate(header, limits: limits)
            entries.append(entry)
            let (sum, overflows) = total.addingReportingOverflow(entry.sizes.uncompressed)
            total = overflows ? .max : sum
        }
        guard total <= limits.totalUncompressedSize else {
            throw ZipError(
                .limitExceeded, detail: "\(total) bytes uncompressed, \(limits.totalUncompressedSize) allowed")
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
                    compressedSize: entry.sizes.compressed,
                    uncompressedSize: entry.sizes.uncompressed,
                    offset: entry.sizes.offset,
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
    /// The size of extra fields up to which a header is read with a single call.
    private static let usualExtraSize = 128

    let file: FileDescriptor
    let entries: [DirectoryEntry]
    /// The offset of the directory.
    let end: UInt64

    /// Returns the offset of each entry's data, in the order of the directory.
    func validate() throws(ZipError) -> [UInt64] {
        var dataOffsets = [UInt64](repeating: 0, count: entries.count)
        let order = entries.indices.sorted { entries[$0].sizes.offset < entries[$1].sizes.offset }
        let starts = order.map { entries[$0].sizes.offset } + [end]
        guard starts.first == 0 else {
            throw ZipError(.malformed, detail: "bytes before the first entry")
        }
        for (rank, index) in order.enumerated() {
            do throws(ZipError) {
                dataOffsets[index] = try validate(entries[index], endsAt: starts[rank + 1])
            } catch {
                throw error.inEntry(entries[index].header.displayName)
            }
        }
        return dataOffsets
    }

    private func validate(_ entry: DirectoryEntry, endsAt end: UInt64) throws(ZipError) -> UInt64 {
        let name = entry.header.name
        let start = entry.sizes.offset
        guard start <= end else {
            throw ZipError(.malformed, detail: "its header runs into the next record")
        }
        let usual = LocalHeader.size + name.count + Self.usualExtraSize
        var head = try bytes(at: start, count: Int(min(UInt64(usual), end - start)), before: end)
        var cursor = ByteCursor(head[...])
        let local = try LocalHeader(&cursor)
        try compare(local, entry.header)
        guard try cursor.take(name.count).elementsEqual(name) else {
            throw ZipError(.headerMismatch, detail: "the local header has another name")
        }
        let dataOffset = start + UInt64(LocalHeader.size + name.count) + UInt64(local.extraSize)
        if cursor.remaining < Int(local.extraSize) {
            head = try bytes(at: start, count: Int(dataOffset - start), before: end)
        }
        let extra = try ExtraFields(Array(head[..<Int(dataOffset - start)].suffix(Int(local.extraSize))))
        try extra.validateUnicodePath(beside: name)
        try compare(try EntrySizes.local(local, extra), entry)

        guard dataOffset <= end, entry.sizes.compressed <= end - dataOffset else {
            throw ZipError(.malformed, detail: "its data runs into the next record")
        }
        let isZip64 = extra.zip64 != nil || entry.needsZip64
        try validateTrailer(entry, isZip64: isZip64, from: dataOffset + entry.sizes.compressed, to: end)
        return dataOffset
    }

    private func compare(_ local: LocalHeader, _ central: CentralHeader) throws(ZipError) {
        func mismatch(_ detail: String) -> ZipError { ZipError(.headerMismatch, detail: detail) }
        guard local.flags.subtracting(.deflateLevel) == central.flags.subtracting(.deflateLevel) else {
            throw mismatch("the local header has other flags")
        }
        guard local.method == central.method else { throw mismatch("the local header has another method") }
        guard local.time == central.time, local.date == central.date else {
            throw mismatch("the local header has another time")
        }
        guard Int(local.nameSize) == central.name.count else { throw mismatch("the local header has another name") }
        let mayBeZero = central.flags.contains(.dataDescriptor)
        guard local.crc32 == central.crc32 || (mayBeZero && local.crc32 == 0) else {
            throw mismatch("the local header has another CRC or size")
        }
    }

    /// Compares the sizes of the local header and the entry. With a data descriptor, the local header may contain zeros.
    private func compare(_ local: (uncompressed: UInt64, compressed: UInt64), _ entry: DirectoryEntry) throws(ZipError)
    {
        let mayBeZero = entry.header.flags.contains(.dataDescriptor)
        let pairs = [(local.uncompressed, entry.sizes.uncompressed), (local.compressed, entry.sizes.compressed)]
        for (local, central) in pairs where local != central && !(mayBeZero && local == 0) {
            throw ZipError(.headerMismatch, detail: "the local header has another CRC or size")
        }
    }

    private func validateTrailer(
        _ entry: DirectoryEntry, isZip64: Bool, from start: UInt64, to end: UInt64
    ) throws(ZipError) {
        let size = end - start
        guard entry.header.flags.contains(.dataDescriptor) else {
            guard size == 0 else { throw ZipError(.malformed, detail: "\(size) bytes after it belong to no entry") }
            return
        }
        guard DataDescriptor.sizes(isZip64: isZip64).contains(size) else {
            throw ZipError(.malformed, detail: "\(size) bytes where its data descriptor should be")
        }
        let trailer = try bytes(at: start, count: Int(size), before: end)
        let descriptor = try DataDescriptor(trailer[...], isZip64: isZip64)
        guard descriptor.crc32 == entry.header.crc32, descriptor.compressedSize == entry.sizes.compressed,
            descriptor.uncompressedSize == entry.sizes.uncompressed
        else {
            throw ZipError(.headerMismatch, detail: "the data descriptor has another CRC or size")
        }
    }

    private func bytes(at offset: UInt64, count: Int, before end: UInt64) throws(ZipError) -> [UInt8] {
        guard offset <= end, UInt64(count) <= end - offset else {
            throw ZipError(.malformed, detail: "its header runs into the next record")
        }
        var bytes = [UInt8](repeating: 0, count: count)
        guard try file.read(into: &bytes, count: count, at: offset) == count else {
            throw ZipError(.malformed, detail: "the file ends inside its header")
        }
        return bytes
    }
}
