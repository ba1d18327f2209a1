import HostSystem
import PluginCore

/// A quick check of the start of a library's file before each load, for changes since its installation.
///
/// It finds truncated files, and libraries for another Core or compiler, when the host has been updated. It takes a few
/// microseconds. The full check runs only at installation.
enum LibraryHead {
    /// The size of the part in which linkers put program headers and notes, in bytes.
    private static let size = 2048
    /// The name of this host's compiler, as in a note.
    private static let compiler = Array(CoreVersion.compiler.utf8) + [0]

    /// Returns whether all segments are in the file and fit into memory, and the library is for this machine, Core and compiler.
    ///
    /// - Returns: `false` also when that can't be determined.
    static func isSound(_ library: LibraryFile) -> Bool {
        guard let file = MappedFile.head(of: library.descriptor, limit: size) else { return false }
        let fileSize = library.size
        let head = ByteView(file)
        guard let header = try? ELFHeader(head), header.isReadable, header.machine == .host,
            header.type == ELFHeader.sharedObject, let segments = try? header.programHeaders(in: head)
        else { return false }
        var isOurs = false
        var (lowest, highest) = (UInt64.max, UInt64.min)
        for segment in segments {
            let (end, isOver) = segment.offset.addingReportingOverflow(segment.fileSize)
            guard !isOver, end <= fileSize else { return false }
            if segment.kind == .load {
                (lowest, highest) = (min(lowest, segment.address), max(highest, segment.end))
            }
            guard segment.kind == .note, let part = head.part(segment.offset, segment.fileSize) else { continue }
            for note in CoreNote.contents(in: part, segment.noteAlignment) {
                guard CoreNote.isOf(abi: CoreVersion.abi, compiler: compiler, note) else { return false }
                isOurs = true
            }
        }
        return isOurs && lowest <= highest && highest - lowest <= ELFSegments.memoryLimit
    }
}
