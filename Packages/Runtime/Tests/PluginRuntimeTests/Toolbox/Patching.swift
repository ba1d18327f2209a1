import PluginCore
import Testing

/// Changes to a library's file as tools make them, and as nobody does who means well.
extension [UInt8] {
    func integer<T: FixedWidthInteger>(_ type: T.Type = T.self, at place: Int) -> T {
        (0..<MemoryLayout<T>.size).reduce(0) { $0 | T(truncatingIfNeeded: self[place + $1]) << (8 * $1) }
    }

    mutating func write<T: FixedWidthInteger>(_ value: T, at place: Int) {
        for index in 0..<MemoryLayout<T>.size { self[place + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
    }

    /// Where the program headers of a type are (elf(5)).
    func programHeaders(_ type: UInt32) -> [Int] {
        let start = Int(integer(UInt64.self, at: 32))
        return (0..<Int(integer(UInt16.self, at: 56))).map { start + $0 * 56 }.filter { integer(at: $0) == type }
    }

    /// Where the entries of the dynamic section are, the one that ends it included.
    func dynamicEntries() throws -> [Int] {
        let header = try #require(programHeaders(2).first)
        let start = Int(integer(UInt64.self, at: header + 8))
        let all = (0..<Int(integer(UInt64.self, at: header + 32)) / 16).map { start + $0 * 16 }
        let end = all.firstIndex { integer(UInt64.self, at: $0) == 0 }
        return [Int](all.prefix((end ?? all.count - 1) + 1))
    }

    /// Where the entry of a tag is.
    func dynamicEntry(_ tag: UInt64) throws -> Int {
        try #require(try dynamicEntries().first { integer(at: $0) == tag })
    }

    /// Takes an entry out as `patchelf --remove-needed` does: those behind it move up.
    mutating func removeDynamicEntry(tag: UInt64) throws {
        let place = try dynamicEntry(tag)
        let end = try #require(try dynamicEntries().last)
        replaceSubrange(place..<end, with: self[place + 16..<end + 16])
    }
}
