/// An observer of all contents during extraction, for example to compute hashes without reading files again.
///
/// For each file, in the order of the paths, the observer is notified of its start, of its content in consecutive pieces, and of its end
/// after size and checksum were checked. If a method throws, the extraction ends and removes everything that it has created.
public protocol ExtractionObserver {
    /// Returns whether an entry is extracted. Others are left out as if the archive did not have them.
    func isWanted(_ entry: ZipEntry) -> Bool
    /// Returns an open file on the same file system that already has the entry's content, or nil.
    ///
    /// A hard link to the file replaces the entry, which is then neither decompressed nor checked nor observed. The extraction closes the
    /// file. If no link can be created, the entry is extracted.
    mutating func standIn(for entry: ZipEntry) throws(ZipError) -> Int32?
    /// Called before a file is created.
    mutating func begin(_ entry: ZipEntry) throws(ZipError)
    /// Called with at most 64 KiB of the current file, before they are written.
    mutating func take(_ piece: RawSpan) throws(ZipError)
    /// Called after the complete content of the file.
    mutating func end(_ entry: ZipEntry) throws(ZipError)
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
    public static func refused(_ entry: ZipEntry, _ detail: String) -> ZipError {
        ZipError(.refused, entry: entry.name, detail: detail)
    }
}

struct NoObserver: ExtractionObserver {
    func begin(_ entry: ZipEntry) {}
    func take(_ piece: RawSpan) {}
    func end(_ entry: ZipEntry) {}
}
