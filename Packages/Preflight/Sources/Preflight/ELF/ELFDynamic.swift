import PluginCore

/// The dynamic section of a library (elf(5), "Dynamic tags").
struct ELFDynamic: Sendable {
    /// The tags that are examined.
    enum Tag: UInt64, CaseIterable {
        case needed = 1
        case relocationSizeOfCalls = 2
        case texts = 5
        case symbols = 6
        case relocations = 7
        case relocationSize = 8
        case textSize = 10
        case name = 14
        case oldSearchPath = 15
        case relocationsOfCalls = 23
        case relocationEntrySize = 9
        case symbolSize = 11
        case initializer = 12
        case finalizer = 13
        case smallRelocations = 17
        case relocationKindOfCalls = 20
        case textRelocations = 22
        case loaderFlags = 30
        case relativeRelocationEntrySize = 37
        case relativeCount = 0x6FFF_FFF9
        case symbolVersions = 0x6FFF_FFF0
        case initializers = 25
        case finalizers = 26
        case initializerSize = 27
        case finalizerSize = 28
        case searchPath = 29
        case relativeRelocationSize = 35
        case relativeRelocations = 36
        case auditor = 0x6FFF_FEFC
        case auditorOfNeeded = 0x6FFF_FEFB
        case hash = 0x6FFF_FEF5
        case flags = 0x6FFF_FFFB
        case versions = 0x6FFF_FFFC
        case versionCount = 0x6FFF_FFFD
        case neededVersions = 0x6FFF_FFFE
        case neededVersionCount = 0x6FFF_FFFF
        case auxiliary = 0x7FFF_FFFD
        case filter = 0x7FFF_FFFF
    }

    static let entrySize = 16
    /// The maximum length of a library's name, in bytes.
    private static let nameLimit = 4096
    /// The maximum number of entries.
    private static let entryLimit = 1024
    /// The maximum number of folders in the search path.
    private static let folderLimit = 256

    private let values: [Tag: UInt64]
    /// The string table.
    let texts: ByteView
    /// The libraries that are loaded together with it, through any tag.
    let needed: [String]
    /// The libraries that it is linked with.
    let linked: [String]
    /// The soname, by which other libraries find it once it is loaded.
    let name: String?
    /// The folders in which its libraries are searched for.
    let searchPath: [String]

    init(_ section: ByteView, in segments: ELFSegments) throws(ELFFlaw) {
        var values: [Tag: UInt64] = [:]
        var (linked, needed, paths) = ([UInt64](), [UInt64](), [UInt64]())
        try ELFFlaw.check(section.count / Self.entrySize, atMost: Self.entryLimit, "elfTooManyDynamicEntries")
        let entries = Self.entries(of: section)
        // The loader reads up to the end mark, even beyond the size that the segment declares.
        try ELFFlaw.check((entries.count + 1) * Self.entrySize <= section.count, "elfDynamicNotTerminated")
        for entry in entries {
            if entry.tag == .needed { linked.append(entry.value) }
            switch entry.tag {
            case .needed, .auditor, .auditorOfNeeded, .auxiliary, .filter: needed.append(entry.value)
            case .oldSearchPath, .searchPath: paths.append(entry.value)
            case let tag?: values[tag] = entry.value
            case nil: break
            }
        }
        guard let start = values[.texts], let size = values[.textSize] else { throw .malformed("elfNoStringTable") }
        let texts = try segments.mapped(at: start, count: size, "elfStringTable")
        self.texts = texts
        self.values = values
        let text = { (offset: UInt64) throws(ELFFlaw) in
            guard let offset = Int(exactly: offset), let text = texts.text(at: offset, limit: Self.nameLimit) else {
                throw ELFFlaw.malformed("elfDynamicNameOutside")
            }
            return text.string
        }
        self.needed = try needed.map(text)
        self.linked = try linked.map(text)
        name = try values[.name].map(text)
        // The loader compares bytes and `String` compares characters; for these characters both agree.
        let bytes = (self.needed + [name ?? ""]).flatMap(\.utf8)
        try ELFFlaw.check(bytes.allSatisfy { 0x20..<0x7F ~= $0 && $0 != 0x60 }, "elfNameNotASCII")
        searchPath = try paths.map(text).flatMap { list in
            list.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map {
                String(decoding: $0, as: UTF8.self)
            }
        }
        try ELFFlaw.check(searchPath.count, atMost: Self.folderLimit, "elfTooManySearchPaths")
    }

    subscript(tag: Tag) -> UInt64? { values[tag] }

    /// Returns the entries up to the end mark, with their offsets in the section.
    static func entries(of section: ByteView) -> [(place: Int, tag: Tag?, value: UInt64)] {
        var entries: [(place: Int, tag: Tag?, value: UInt64)] = []
        for place in stride(from: 0, to: section.count, by: entrySize) where entries.count < entryLimit {
            guard let (tag, value): (UInt64, UInt64) = section.value(at: place), tag != 0 else { break }
            entries.append((place, Tag(rawValue: tag), value))
        }
        return entries
    }

    /// Returns the text that an entry's value refers to, as bytes, because a folder need not be UTF-8.
    func text(_ value: UInt64) -> ByteView? {
        Int(exactly: value).flatMap { texts.text(at: $0, limit: Self.nameLimit) }
    }

    /// A Boolean value that indicates whether the file is a position-independent program, which can't be loaded as a library.
    var isProgram: Bool { (self[.flags] ?? 0) & 0x0800_0000 != 0 }
}
