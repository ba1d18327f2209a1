import PluginCore
import Testing

/// Edits of a library file, as patching tools and attackers make them.
extension [UInt8] {
    func integer<T: FixedWidthInteger>(_ type: T.Type = T.self, at place: Int) -> T {
        (0..<MemoryLayout<T>.size).reduce(0) { $0 | T(truncatingIfNeeded: self[place + $1]) << (8 * $1) }
    }

    mutating func write<T: FixedWidthInteger>(_ value: T, at place: Int) {
        for index in 0..<MemoryLayout<T>.size { self[place + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
    }

    /// Returns the offsets of the program headers of one type.
    func programHeaders(_ type: UInt32) -> [Int] {
        let start = Int(integer(UInt64.self, at: 32))
        return (0..<Int(integer(UInt16.self, at: 56))).map { start + $0 * 56 }.filter { integer(at: $0) == type }
    }

    /// Returns the offset of the first program header of one type.
    func firstHeader(_ type: UInt32) throws -> Int { try #require(programHeaders(type).first) }

    /// Returns the offset of the last segment's program header.
    func lastSegment() throws -> Int { try #require(programHeaders(1).last) }

    /// Returns the offset of the table that the dynamic entry with a tag names.
    func table(_ tag: UInt64) throws -> Int { Int(integer(UInt64.self, at: try dynamicEntry(tag) + 8)) }

    /// Returns the offsets of the dynamic section's entries, including the terminator.
    func dynamicEntries() throws -> [Int] {
        let header = try firstHeader(2)
        let start = Int(integer(UInt64.self, at: header + 8))
        let all = (0..<Int(integer(UInt64.self, at: header + 32)) / 16).map { start + $0 * 16 }
        let end = all.firstIndex { integer(UInt64.self, at: $0) == 0 }
        return [Int](all.prefix((end ?? all.count - 1) + 1))
    }

    /// Returns the offset of the dynamic entry with a tag.
    func dynamicEntry(_ tag: UInt64) throws -> Int {
        try #require(try dynamicEntries().first { integer(at: $0) == tag })
    }

    /// Removes a dynamic entry as `patchelf --remove-needed` does: the entries after it move up.
    mutating func removeDynamicEntry(tag: UInt64) throws {
        let place = try dynamicEntry(tag)
        let end = try #require(try dynamicEntries().last)
        replaceSubrange(place..<end, with: self[place + 16..<end + 16])
    }
}
