/// The folders that a library has its libraries looked for in (ld.so(8), "Rpath token expansion").
public enum SearchPath {
    /// Returns whether a folder is the library's own or one below: what is there belongs to the bundle.
    ///
    /// Byte by byte, as the loader does: an accent that follows a slash makes another `Character` of it, and no other path.
    static func isOwn(_ folder: some Collection<UInt8>) -> Bool {
        let parts = folder.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard let first = parts.first, ["$ORIGIN", "${ORIGIN}"].contains(where: { first.elementsEqual($0.utf8) }) else {
            return false
        }
        return parts.dropFirst().allSatisfy { !$0.elementsEqual("..".utf8) && !$0.contains(UInt8(ascii: "$")) }
    }

    /// A library without the folders that lie outside of its bundle: a build leaves those of its machine in it, the
    /// toolchain's first of all, and a host finds its libraries without them.
    ///
    /// - Parameter library: all bytes of the file.
    /// - Returns: the same number of bytes; the same bytes where there is nothing to take out, or when they cannot be
    ///   read as a library.
    public static func removingForeign(from library: [UInt8]) -> [UInt8] {
        let file = ByteView(MappedFile(copying: library))
        guard let header = try? ELFHeader(file), header.isReadable, let parts = try? ELFLibrary(file, header),
            let section = parts.segments.dynamic, !parts.dynamic.searchPath.allSatisfy({ isOwn($0.utf8) })
        else { return library }
        var result = library
        for entry in ELFDynamic.entries(of: section).reversed() {
            guard entry.tag == .searchPath || entry.tag == .oldSearchPath, let text = parts.dynamic.text(entry.value)
            else { continue }
            // What may stay is told by a later start in the same text; a text that ends with a foreign folder goes.
            let place = section.offset + entry.place
            if let skip = foreignPrefix(of: text) {
                result.write(entry.value + UInt64(skip), at: place + 8)
            } else {
                let rest = place + ELFDynamic.entrySize..<section.offset + section.count
                result.replaceSubrange(
                    place..<section.offset + section.count,
                    with: result[rest] + [UInt8](repeating: 0, count: ELFDynamic.entrySize))
            }
        }
        return result
    }

    /// How many bytes stand before the last folders that are own; `nil` when the very last is not.
    private static func foreignPrefix(of text: ByteView) -> Int? {
        let folders = text.bytes.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        let own = folders.reversed().prefix { isOwn($0) }
        guard !own.isEmpty else { return nil }
        return text.count - own.reduce(own.count - 1) { $0 + $1.count }
    }
}

extension [UInt8] {
    fileprivate mutating func write(_ value: UInt64, at place: Int) {
        for index in 0..<8 { self[place + index] = UInt8(truncatingIfNeeded: value >> (8 * UInt64(index))) }
    }
}
