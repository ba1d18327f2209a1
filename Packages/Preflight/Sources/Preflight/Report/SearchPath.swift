import CELF
import Processes

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
