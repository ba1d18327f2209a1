import CELF
import PluginCore
import Processes

/// The dynamic section of a library (elf(5), "Dynamic tags").
struct ELFDynamic {
    static let entrySize = MemoryLayout<Elf64_Dyn>.size
    /// The maximum length of a library's name, in bytes.
    private static let nameLimit = 4096
    /// The maximum number of entries.
    private static let entryLimit = 1024
    /// The maximum number of folders in the search path.
    private static let folderLimit = 256

    private let values: [Int64: UInt64]
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
        try check(section.count / Self.entrySize, atMost: Self.entryLimit, "elfTooManyDynamicEntries")
        let entries = Self.entries(of: section)
        // The loader reads up to the end mark, even beyond the size that the segment declares.
        try check((entries.count + 1) * Self.entrySize <= section.count, "elfDynamicNotTerminated")
        values = Dictionary(entries.map { ($0.tag, $0.value) }) { $1 }
        guard let start = values[Int64(DT_STRTAB)], let size = values[Int64(DT_STRSZ)] else {
            throw .malformed("elfNoStringTable")
        }
        let texts = try segments.mapped(at: start, count: size, "elfStringTable")
        self.texts = texts
        let names = { (tags: [Int32]) throws(ELFFlaw) -> [String] in
            try entries.filter { tags.map(Int64.init).contains($0.tag) }.map { entry throws(ELFFlaw) in
                guard let text = Self.text(entry.value, in: texts) else { throw .malformed("elfDynamicNameOutside") }
                return text.string
            }
        }
        needed = try names([DT_NEEDED, DT_AUDIT, DT_DEPAUDIT, DT_AUXILIARY, DT_FILTER])
        linked = try names([DT_NEEDED])
        name = try names([DT_SONAME]).last
        // The loader compares bytes and `String` compares characters; for these characters both agree.
        let bytes = (needed + [name ?? ""]).flatMap(\.utf8)
        try check(bytes.allSatisfy { 0x20..<0x7F ~= $0 && $0 != 0x60 }, "elfNameNotASCII")
        searchPath = try names([DT_RPATH, DT_RUNPATH]).flatMap { list in
            list.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false).map {
                String(decoding: $0, as: UTF8.self)
            }
        }
        try check(searchPath.count, atMost: Self.folderLimit, "elfTooManySearchPaths")
    }

    /// Returns the value of a tag; of several, the last counts.
    subscript(tag: Int32) -> UInt64? { values[Int64(tag)] }

    /// Returns the entries up to the end mark, with their offsets in the section.
    static func entries(of section: ByteView) -> [(place: Int, tag: Int64, value: UInt64)] {
        var entries: [(place: Int, tag: Int64, value: UInt64)] = []
        for place in stride(from: 0, to: section.count, by: entrySize) where entries.count < entryLimit {
            guard let (tag, value): (Int64, UInt64) = section.value(at: place), tag != DT_NULL else { break }
            entries.append((place, tag, value))
        }
        return entries
    }

    /// Returns the text that an entry's value refers to, as bytes, because a folder need not be UTF-8.
    static func text(_ value: UInt64, in texts: ByteView) -> ByteView? {
        Int(exactly: value).flatMap { texts.text(at: $0, limit: nameLimit) }
    }

    /// A Boolean value that indicates whether the file is a position-independent program, which can't be loaded as a library.
    var isProgram: Bool { (self[DT_FLAGS_1] ?? 0) & UInt64(DF_1_PIE) != 0 }
}

/// The search path of a library: the folders in which its libraries are searched for (ld.so(8), "Rpath token expansion").
public enum SearchPath {
    /// Returns whether a folder is the library's own folder or a subfolder, and so part of the bundle.
    ///
    /// Works on bytes, as the loader does: a combining accent after a slash forms one `Character` with it, but is a separate
    /// part of the path.
    static func isOwn(_ folder: some Collection<UInt8>) -> Bool {
        let parts = folder.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard let first = parts.first, ["$ORIGIN", "${ORIGIN}"].contains(where: { first.elementsEqual($0.utf8) }) else {
            return false
        }
        return parts.dropFirst().allSatisfy { !$0.elementsEqual("..".utf8) && !$0.contains(UInt8(ascii: "$")) }
    }

    /// Removes the folders outside the bundle from a library's search path.
    ///
    /// Builds add folders of the build machine, above all the toolchain's, and hosts find the libraries without them.
    ///
    /// - Parameter library: the bytes of the file.
    /// - Returns: the same number of bytes; the unchanged bytes if there is nothing to remove, or if they aren't a library.
    public static func removingForeign(from library: [UInt8]) -> [UInt8] {
        let file = ByteView(MappedFile(copying: library))
        guard let parts = try? ELFLibrary(file), let section = try? parts.segments.dynamic(),
            !parts.dynamic.searchPath.allSatisfy({ isOwn($0.utf8) })
        else { return library }
        var result = library
        for entry in ELFDynamic.entries(of: section).reversed() {
            guard entry.tag == DT_RUNPATH || entry.tag == DT_RPATH,
                let text = ELFDynamic.text(entry.value, in: parts.dynamic.texts)
            else { continue }
            // A text is shortened by moving its start to the last own folders; an entry whose text ends with a foreign folder is removed.
            let place = section.offset + entry.place
            if let skip = foreignPrefix(of: text) {
                let value = withUnsafeBytes(of: entry.value + UInt64(skip), Array.init)
                result.replaceSubrange(place + 8..<place + ELFDynamic.entrySize, with: value)
            } else {
                let rest = place + ELFDynamic.entrySize..<section.offset + section.count
                result.replaceSubrange(
                    place..<section.offset + section.count,
                    with: result[rest] + [UInt8](repeating: 0, count: ELFDynamic.entrySize))
            }
        }
        return result
    }

    /// Returns the number of bytes before the trailing own folders.
    ///
    /// - Returns: `nil` when the last folder is foreign.
    private static func foreignPrefix(of text: ByteView) -> Int? {
        let folders = text.bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        let own = folders.reversed().prefix { isOwn($0) }
        guard !own.isEmpty else { return nil }
        return text.count - own.reduce(own.count - 1) { $0 + $1.count }
    }
}
