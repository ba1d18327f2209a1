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
            header.type == ELFHeader.sharedObject, let table = try? header.segmentTable(in: head)
        else { return false }
        var isOurs = false
        var (lowest, highest) = (UInt64.max, UInt64.min)
        for start in stride(from: 0, to: table.count, by: ELFSegments.entrySize) {
            guard let type: UInt32 = table.integer(at: start), let offset: UInt64 = table.integer(at: start + 8),
                let address: UInt64 = table.integer(at: start + 16), let size: UInt64 = table.integer(at: start + 32),
                let memory: UInt64 = table.integer(at: start + 40),
                let alignment: UInt64 = table.integer(at: start + 48)
            else { return false }
            let (end, isOver) = offset.addingReportingOverflow(size)
            guard !isOver, end <= fileSize else { return false }
            if type == 1 {
                let (last, isOver) = address.addingReportingOverflow(memory)
                (lowest, highest) = (min(lowest, address), isOver ? .max : max(highest, last))
            }
            guard type == 4, let part = head.part(offset, size) else { continue }
            for note in CoreNote.contents(in: part, alignment == 8 ? 8 : 4) {
                guard CoreNote.isOf(abi: CoreVersion.abi, compiler: compiler, note) else { return false }
                isOurs = true
            }
        }
        return isOurs && lowest <= highest && highest - lowest <= ELFSegments.memoryLimit
    }
}
