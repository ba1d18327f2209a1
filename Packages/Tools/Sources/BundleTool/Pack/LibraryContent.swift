import PluginCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A built library as far as it is looked into: enough to catch the wrong file, not enough to trust the right one.
struct LibraryContent {
    /// Larger files, in bytes, are no plugin.
    static let sizeLimit = 1 << 30

    /// The first bytes of every ELF file.
    private static let magic: [UInt8] = [0x7F, 0x45, 0x4C, 0x46]

    let path: FilePath
    let bytes: [UInt8]

    /// What is wrong with it, one line each.
    var problems: [String] {
        guard bytes.starts(with: Self.magic) else { return ["\(path.lastComponent): it is no ELF file"] }
        // A name in a string table ends with a NUL; what comes before may belong to a longer name it is the end of.
        guard contains(Array(PluginEntry.symbol.utf8) + [0]) else {
            return ["\(path.lastComponent): it does not contain the symbol \(PluginEntry.symbol)"]
        }
        return []
    }

    private func contains(_ needle: [UInt8]) -> Bool {
        guard let first = needle.first else { return true }
        return bytes.withUnsafeBytes { hay in
            var rest = hay[...]
            while rest.count >= needle.count {
                let tail = UnsafeRawBufferPointer(rebasing: rest)
                guard let start = tail.baseAddress, let hit = memchr(start, Int32(first), tail.count) else {
                    return false
                }
                let offset = UnsafeRawPointer(hit) - start
                guard tail.count - offset >= needle.count else { return false }
                if memcmp(hit, needle, needle.count) == 0 { return true }
                rest = rest.dropFirst(offset + 1)
            }
            return false
        }
    }
}
