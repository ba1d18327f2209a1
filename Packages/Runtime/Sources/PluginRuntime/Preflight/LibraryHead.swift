import PluginCore

/// The start of a library's file, where a look before each load finds what may have changed since the install: a disk has
/// lost a part of the file, or the host has another Core and compiler now.
///
/// It takes a few microseconds. What is fine here has still been judged as a whole only when it was installed.
enum LibraryHead {
    /// Where linkers put program headers and notes.
    private static let size = 2048
    /// The compiler of this host as a note has it.
    private static let compiler = Array(CoreVersion.compiler.utf8) + [0]

    /// Returns whether all that is loaded is in the file and fits into memory, and the file is of this machine, this system, this Core
    /// and this compiler; `false` also when that cannot be told.
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
