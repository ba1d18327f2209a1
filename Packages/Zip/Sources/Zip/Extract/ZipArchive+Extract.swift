extension ZipArchive {
    /// Writes all entries into a new folder.
    ///
    /// Files become 0444, or 0555 when the owner may execute them; folders 0755; whatever the umask.
    /// Memory use does not depend on the sizes. The surrounding task's cancellation is noticed.
    /// When it throws, nothing that it wrote is left.
    ///
    /// - Parameters:
    ///   - path: The folder to make. It must not exist, the folder around it must.
    ///   - limits: Checked before the folder is made.
    ///   - durability: Whether to wait for the disk.
    ///   - progress: Called with the bytes written so far and the bytes to write, both uncompressed:
    ///     once at the start, then after each piece of at most 64 KiB.
    /// - Throws: ``ZipError``: ``ZipError/Code/targetExists``, ``ZipError/Code/limitExceeded``,
    ///   ``ZipError/Code/cancelled``, ``ZipError/Code/system``, or what is wrong with a content.
    public func extract(
        to path: String,
        limits: ZipLimits = .none,
        durability: ZipDurability = .buffered,
        progress: (_ bytesDone: UInt64, _ bytesTotal: UInt64) -> Void = { _, _ in }
    ) throws(ZipError) {
        try limits.check(entryCount: entries.count)
        try limits.check(totalUncompressedSize: totalUncompressedSize)
        for entry in entries {
            try limits.check(uncompressedSize: entry.uncompressedSize, compressedSize: entry.compressedSize)
        }
        var tree = try TargetTree(creating: path, durability: durability)
        do throws(ZipError) {
            try write(into: &tree, progress: progress)
            try tree.finish()
        } catch {
            tree.removeAll()
            throw error
        }
    }

    private func write(into tree: inout TargetTree, progress: (UInt64, UInt64) -> Void) throws(ZipError) {
        var decoder = EntryDecoder(file)
        var done: UInt64 = 0
        progress(done, totalUncompressedSize)
        // In path order, so that each folder is opened once and finished before the next.
        for index in paths.indices.sorted(by: { EntryPath.isBefore(paths[$0], paths[$1]) }) {
            let entry = entries[index]
            try Self.checkCancellation()
            guard !entry.isDirectory else {
                try tree.makeFolder(paths[index])
                // A folder has no content; this makes sure of it.
                try decoder.decode(entry) { (_) throws(ZipError) in }
                continue
            }
            let output = try tree.createFile(paths[index])
            var position: UInt64 = 0
            try decoder.decode(entry) { (piece) throws(ZipError) in
                try Self.checkCancellation()
                try output.write(piece, at: position)
                position += UInt64(piece.byteCount)
                done += UInt64(piece.byteCount)
                progress(done, totalUncompressedSize)
            }
            try tree.finish(output, mode: entry.isExecutable ? 0o555 : 0o444)
        }
    }
}
