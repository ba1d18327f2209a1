import HostSystem

extension ZipArchive {
    /// Extracts all entries into a new folder.
    ///
    /// Files get the mode 0444, or 0555 if the owner may execute them, and folders 0755, regardless of the umask. The memory use does not
    /// depend on sizes. The extraction stops when the surrounding task is canceled. If it throws, it removes everything that it has
    /// written.
    ///
    /// - Parameters:
    ///   - path: The new folder. It must not exist, but its parent folder must.
    ///   - durability: Whether to sync the files.
    ///   - observer: The observer of all contents, in a single pass, which may reject entries, or leave them out.
    ///   - progress: Called with the number of uncompressed bytes written so far and in total: once at the start, then after each piece of
    ///     at most 64 KiB.
    /// - Throws: ``ZipError``, with ``ZipError/Code/targetExists``, ``ZipError/Code/canceled``, ``ZipError/Code/system``, an error of a
    ///   content, or one of the observer, usually ``ZipError/Code/refused``.
    public func extract(
        to path: String,
        durability: ZipDurability = .buffered,
        observer: (any ExtractionObserver)? = nil,
        progress: (_ bytesDone: UInt64, _ bytesTotal: UInt64) -> Void = { _, _ in }
    ) throws(ZipError) {
        var tree = try TargetTree(creating: path, durability: durability)
        do {
            try write(into: &tree, observer, progress: progress)
            try tree.finish()
        } catch {
            tree.removeAll()
            throw error
        }
    }

    private func write(
        into tree: inout TargetTree, _ observer: (any ExtractionObserver)?, progress: (UInt64, UInt64) -> Void
    ) throws(ZipError) {
        var decoder = EntryDecoder(file)
        let wanted = paths.indices.filter { observer?.isWanted(entries[$0]) ?? true }
        let total = wanted.reduce(UInt64(0)) { $0 + entries[$1].uncompressedSize }
        var done: UInt64 = 0
        progress(done, total)
        // In path order, each folder is opened only once and completed before the next.
        for index in wanted.sorted(by: { EntryPath.isBefore(paths[$0], paths[$1]) }) {
            let entry = entries[index]
            try Self.checkCancellation()
            guard !entry.isDirectory else {
                try tree.makeFolder(paths[index])
                // This checks that a folder has no content.
                try decoder.decode(entry) { (_) throws(ZipError) in }
                continue
            }
            if let file = try observer?.standIn(for: entry), try tree.link(file, paths[index]) {
                done += entry.uncompressedSize
                progress(done, total)
                continue
            }
            try observer?.begin(entry)
            let output = try tree.createFile(paths[index])
            var position: UInt64 = 0
            try decoder.decode(entry) { (piece) throws(ZipError) in
                try Self.checkCancellation()
                try observer?.take(piece)
                try output.write(piece, at: position)
                position += UInt64(piece.byteCount)
                done += UInt64(piece.byteCount)
                progress(done, total)
            }
            try observer?.end(entry)
            try tree.finish(output, mode: entry.isExecutable ? 0o555 : 0o444)
        }
    }
}

/// An observer of all contents during extraction, for example to compute hashes without reading files again.
///
/// For each file, in the order of the paths, the observer is notified of its start, of its content in consecutive pieces, and of its end
/// after size and checksum were checked. If a method throws, the extraction ends and removes everything that it has created.
public protocol ExtractionObserver: AnyObject {
    /// Returns whether an entry is extracted. Others are left out as if the archive did not have them.
    func isWanted(_ entry: ZipEntry) -> Bool
    /// Returns an open file on the same file system that already has the entry's content, or nil.
    ///
    /// A hard link to the file replaces the entry, which is then neither decompressed nor checked nor observed. The extraction closes the
    /// file. If no link can be created, the entry is extracted.
    func standIn(for entry: ZipEntry) throws(ZipError) -> Int32?
    /// Called before a file is created.
    func begin(_ entry: ZipEntry) throws(ZipError)
    /// Called with at most 64 KiB of the current file, before they are written.
    func take(_ piece: RawSpan) throws(ZipError)
    /// Called after the complete content of the file.
    func end(_ entry: ZipEntry) throws(ZipError)
}

extension ExtractionObserver {
    /// Returns true for all entries.
    public func isWanted(_ entry: ZipEntry) -> Bool { true }

    /// Returns no file for any entry.
    public func standIn(for entry: ZipEntry) -> Int32? { nil }
}

extension ZipError {
    /// Returns the error with which an observer rejects an entry. All other errors are thrown by this module.
    ///
    /// - Parameters:
    ///   - entry: The rejected entry.
    ///   - detail: The reason in a few words.
    public static func refused(_ entry: ZipEntry, _ detail: String) -> Self {
        Self(.refused, entry: entry.name, detail: detail)
    }
}
