/// The validation of a whole archive before any of it is used.
///
/// All rules that make the reader strict are called from here, so a valid archive has only one interpretation.
struct ArchiveValidator {
    /// The validated entries.
    struct ValidatedArchive {
        var entries: [ZipEntry] = []
        var paths: [EntryPath] = []
        var totalUncompressedSize: UInt64 = 0
    }

    let file: FileDescriptor
    let limits: ZipLimits

    func validate() throws(ZipError) -> ValidatedArchive {
        do throws(ZipError) {
            return try validateAll()
        } catch {
            throw error.inArchive(file)
        }
    }

    private func validateAll() throws(ZipError) -> ValidatedArchive {
        let directory = try CentralDirectory(file, limits: limits)
        var entries: [DirectoryEntry] = []
        entries.reserveCapacity(directory.headers.count)
        var total: UInt64 = 0
        for header in directory.headers {
            let entry = try HeaderRules.validate(header, limits: limits)
            entries.append(entry)
            let (sum, overflows) = total.addingReportingOverflow(entry.uncompressedSize)
            total = overflows ? .max : sum
        }
        try limits.check(totalUncompressedSize: total)
        try NameClash.validate(entries.map(\.path))
        let dataOffsets = try ArchiveLayoutValidator(file: file, entries: entries, end: directory.offset).validate()

        var validated = ValidatedArchive(totalUncompressedSize: total)
        // The archive's root, which `bsdtar` lists, is the target folder itself and not an entry.
        for (entry, dataOffset) in zip(entries, dataOffsets) where !entry.path.isRoot {
            validated.paths.append(entry.path)
            validated.entries.append(
                ZipEntry(
                    name: entry.path.name,
                    method: entry.method,
                    crc32: entry.header.crc32,
                    compressedSize: entry.compressedSize,
                    uncompressedSize: entry.uncompressedSize,
                    offset: entry.offset,
                    mode: UnixMode(entry.header).permissions ?? (entry.path.isFolder ? 0o755 : 0o644),
                    dataOffset: dataOffset))
        }
        return validated
    }
}
