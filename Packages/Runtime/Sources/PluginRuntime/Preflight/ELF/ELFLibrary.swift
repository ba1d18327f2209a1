/// A shared library as far as it can be known without loading it.
struct ELFLibrary: Sendable {
    let segments: ELFSegments
    let dynamic: ELFDynamic
    let symbols: ELFSymbols
    let versions: ELFVersions

    /// Reads all that a loader follows.
    ///
    /// - Parameter header: that of the file; it is one of this process's layout.
    /// - Throws: ``ELFFlaw``, the first there is: what comes after cannot be told.
    init(_ file: ByteView, _ header: ELFHeader) throws(ELFFlaw) {
        segments = try ELFSegments(try header.segmentTable(in: file), of: file)
        guard let section = segments.dynamic else { throw .malformed("it was linked statically") }
        dynamic = try ELFDynamic(section, in: segments)
        symbols = try ELFSymbols(dynamic, in: segments)
        versions = try ELFVersions(dynamic, in: segments)
    }

    /// Returns whether the file has all that its section headers name. No loader asks, but a file that was cut short is told by them
    /// even when what is missing is of no use to a loader.
    static func checkSections(of file: ByteView, _ header: ELFHeader) throws(ELFFlaw) {
        let table = try header.sectionTable(in: file)
        for start in stride(from: 0, to: table.count, by: 64) {
            guard let type: UInt32 = table.integer(at: start + 4), let offset: UInt64 = table.integer(at: start + 24),
                let size: UInt64 = table.integer(at: start + 32)
            else { throw .truncated("its section headers") }
            // 0 is no section, 8 is one that takes no room in the file.
            guard type != 0, type != 8 else { continue }
            _ = try ELFFlaw.require(file.part(offset, size), "its section \(start / 64)")
        }
    }
}
