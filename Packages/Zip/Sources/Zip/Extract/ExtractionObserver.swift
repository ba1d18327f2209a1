/// Sees every file's content on its way to the disk, so that whoever must know it, to hash it for instance, need not
/// read it again.
///
/// A file is begun, then come its bytes in pieces and in order, then it is ended, when its size and checksum have been
/// found right; then comes the next file, in the order of the paths. What a method throws ends the extraction, of which
/// nothing is left then.
public protocol ExtractionObserver {
    /// An open file on the same file system that has the entry's content already, if there is one: a hard link to it takes the
    /// entry's place, and nothing of the entry is unpacked, checked or shown. The extraction closes it. Where no link can be
    /// made the entry is unpacked.
    mutating func standIn(for entry: ZipEntry) throws(ZipError) -> Int32?
    /// Nothing of the file is on the disk yet.
    mutating func begin(_ entry: ZipEntry) throws(ZipError)
    /// At most 64 KiB of the file that was begun last, about to be written.
    mutating func take(_ piece: RawSpan) throws(ZipError)
    /// All of the file was taken.
    mutating func end(_ entry: ZipEntry) throws(ZipError)
}

extension ExtractionObserver {
    /// Nothing stands in for anything.
    public func standIn(for entry: ZipEntry) -> Int32? { nil }
}

extension ZipError {
    /// An observer's refusal: the one error of this module that others make.
    ///
    /// - Parameter detail: why, in a few words.
    public static func refused(_ entry: ZipEntry, _ detail: String) -> ZipError {
        ZipError(.refused, entry: entry.name, detail: detail)
    }
}

struct NoObserver: ExtractionObserver {
    func begin(_ entry: ZipEntry) {}
    func take(_ piece: RawSpan) {}
    func end(_ entry: ZipEntry) {}
}
