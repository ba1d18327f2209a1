import CELF
import PluginCore

/// A shared library, parsed without loading it.
struct ELFLibrary {
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
            _ = try require(file.part(section.sh_offset, section.sh_size), "elfSection", number: number)
        }
    }
}

/// A reason why a file can't be read as an ELF library.
enum ELFFlaw: Error, Equatable {
    /// The file doesn't start with the ELF magic number.
    case noELF
    /// The file ends before the given part.
    case truncated(ErrorReason)
    /// The file contradicts itself or the format.
    case malformed(ErrorReason)
    /// The file exceeds a limit that no real library reaches.
    case excessive(ErrorReason)

    /// A contradiction, in a part of the file if one is given.
    static func malformed(_ problem: String, in part: String? = nil) -> ELFFlaw {
        .malformed(ErrorReason(problem, part.map { ["part": .reason(ErrorReason($0))] } ?? [:]))
    }
}

/// Throws an excess if a number exceeds a limit.
func check(_ count: Int, atMost limit: Int, _ problem: String) throws(ELFFlaw) {
    if count > limit { throw .excessive(ErrorReason(problem, ["count": .integer(count), "limit": .integer(limit)])) }
}

/// Throws a contradiction unless a condition holds.
func check(_ holds: Bool, _ problem: String, in part: String? = nil) throws(ELFFlaw) {
    if !holds { throw .malformed(problem, in: part) }
}

/// Unwraps a value, or throws that the file is truncated in the named part.
func require<T>(_ value: T?, _ part: String, number: Int? = nil) throws(ELFFlaw) -> T {
    if let value { return value }
    throw .truncated(ErrorReason(part, number.map { ["number": .integer($0)] } ?? [:]))
}

/// A limit on the work of checking a library, because a few bytes can describe hours of work.
///
/// A step is a byte that is read or an item that is looked up. Real libraries need less than one step per byte.
final class ELFWork {
    /// The maximum number of steps for a library of any size.
    private static let most = 1 << 28
    /// The number of steps for a small library, and the additional steps for each byte.
    private static let base = 1 << 20
    private static let perByte = 16

    /// The maximum number of steps for this library.
    let limit: Int
    /// The number of steps so far.
    private(set) var steps = 0

    /// Creates a limit.
    ///
    /// - Parameter size: the size of the library's file in bytes.
    init(size: Int) {
        limit = min(Self.base + size * Self.perByte, Self.most)
    }

    /// Counts steps before they are made.
    ///
    /// - Throws: ``ELFFlaw`` when the limit is exceeded.
    func add(_ count: Int, _ part: String) throws(ELFFlaw) {
        steps += count
        guard steps <= limit else {
            throw .excessive(
                ErrorReason("elfTooMuchWork", ["part": .reason(ErrorReason(part)), "limit": .integer(limit)]))
        }
    }
}
