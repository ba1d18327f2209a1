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
        var nobody = NoObserver()
        try extract(to: path, limits: limits, durability: durability, observer: &nobody, progress: progress)
    }

    /// Writes all entries into a new folder, and shows an observer every byte on the way: an archive is inflated, checked,
    /// seen and written in one pass.
    ///
    /// - Parameter observer: may refuse what it sees. The rest is as for ``extract(to:limits:durability:progress:)``.
    /// - Throws: ``ZipError``, also what the observer throws, which is ``ZipError/Code/refused`` as a rule.
    public func extract(
        to path: String,
        limits: ZipLimits = .none,
        durability: ZipDurability = .buffered,
        observer: inout some ExtractionObserver,
        progress: (_ bytesDone: UInt64, _ bytesTotal: UInt64) -> Void = { _, _ in }
    ) throws(ZipError) {
        try limits.check(entryCount: entries.count)
        try limits.check(totalUncompressedSize: totalUncompressedSize)
        for entry in entries {
            try limits.check(uncompressedSize: entry.uncompressedSize, compressedSize: entry.compressedSize)
        }
        var tree = try TargetTree(creating: path, durability: durability)
        do throws(ZipError) {
            try write(into: &tree, observer: &observer, progress: progress)
            try tree.finish()
        } catch {
            tree.removeAll()
            throw error
        }
    }

    private func write(
        into tree: inout TargetTree, observer: inout some ExtractionObserver, progress: (UInt64, UInt64) -> Void
    ) throws(ZipError) {
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
            if let file = try observer.standIn(for: entry), try tree.link(file, paths[index]) {
                done += entry.uncompressedSize
                progress(done, totalUncompressedSize)
                continue
            }
            try observer.begin(entry)
            let output = try tree.createFile(paths[index])
            var position: UInt64 = 0
            try decoder.decode(entry) { (piece) throws(ZipError) in
                try Self.checkCancellation()
                try observer.take(piece)
                try output.write(piece, at: position)
                position += UInt64(piece.byteCount)
                done += UInt64(piece.byteCount)
                progress(done, totalUncompressedSize)
            }
            try observer.end(entry)
            try tree.finish(output, mode: entry.isExecutable ? 0o555 : 0o444)
        }
    }
}
