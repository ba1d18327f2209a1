import CELF

/// A shared library, parsed without loading it.
struct ELFLibrary: Sendable {
    let header: ELFHeader
    let segments: ELFSegments
    let notes: [ELFNote]
    let dynamic: ELFDynamic
    let symbols: ELFSymbols
    let versions: ELFVersions

    /// Parses all parts that a loader uses.
    ///
    /// - Parameter header: the header of the file, which has the word size and byte order of this process.
    /// - Throws: ``ELFFlaw`` for the first problem, since later parts depend on earlier ones.
    init(_ file: ByteView, _ header: ELFHeader) throws(ELFFlaw) {
        self.header = header
        segments = try ELFSegments(header.programHeaders(in: file), of: file)
        guard let section = try segments.dynamic() else { throw .malformed("elfStatic") }
        notes = try segments.notes()
        dynamic = try ELFDynamic(section, in: segments)
        symbols = try ELFSymbols(dynamic, in: segments)
        versions = try ELFVersions(dynamic, in: segments)
    }

    /// Parses a file.
    ///
    /// - Throws: ``ELFFlaw`` also for a file with another word size or byte order than this process's.
    init(_ file: ByteView) throws(ELFFlaw) {
        let header = try ELFHeader(file)
        guard header.isReadable else { throw .noELF }
        try self.init(file, header)
    }

    /// Checks that the file contains all sections in its section headers.
    ///
    /// The loader doesn't use them, but they reveal a truncated file even if the missing part isn't loaded.
    static func checkSections(of file: ByteView, _ header: ELFHeader) throws(ELFFlaw) {
        for (number, section) in try header.sectionHeaders(in: file).enumerated() {
            guard section.sh_type != SHT_NULL, section.sh_type != SHT_NOBITS else { continue }
            _ = try ELFFlaw.require(file.part(section.sh_offset, section.sh_size), "elfSection", number: number)
        }
    }
}
