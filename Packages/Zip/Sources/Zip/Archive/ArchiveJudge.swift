/// Decides about a whole archive before anything of it is used. Every rule that makes a reader strict
/// is called from here, so that an archive that came through has one meaning only.
struct ArchiveJudge {
    /// Everything about an entry that was found good.
    struct Verdict {
        var entries: [ZipEntry] = []
        var paths: [EntryPath] = []
        var totalUncompressedSize: UInt64 = 0
    }

    let file: FileDescriptor
    let limits: ZipLimits

    func judge() throws(ZipError) -> Verdict {
        do throws(ZipError) {
            return try judgeAll()
        } catch {
            throw error.inArchive(file)
        }
    }

    private func judgeAll() throws(ZipError) -> Verdict {
        let directory = try CentralDirectory(file, limits: limits)
        var paths: [EntryPath] = []
        var total: UInt64 = 0
        for header in directory.headers {
            paths.append(try HeaderRules.judge(header))
            total += UInt64(header.uncompressedSize)
        }
        try limits.check(totalUncompressedSize: total)
        try NameClash.judge(paths)
        let dataOffsets = try Layout(file: file, directory: directory).judge()

        var verdict = Verdict(paths: paths, totalUncompressedSize: total)
        for (index, header) in directory.headers.enumerated() {
            guard let method = ZipMethod(rawValue: header.method) else {
                throw HeaderRules.unsupportedMethod(header)
            }
            verdict.entries.append(
                ZipEntry(
                    name: header.displayName,
                    method: method,
                    crc32: header.crc32,
                    compressedSize: UInt64(header.compressedSize),
                    uncompressedSize: UInt64(header.uncompressedSize),
                    offset: UInt64(header.offset),
                    mode: UnixMode(header).permissions ?? (paths[index].isFolder ? 0o755 : 0o644),
                    dataOffset: dataOffsets[index]))
        }
        return verdict
    }
}
