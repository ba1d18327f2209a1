import CZlib

/// An incremental CRC-32, by APPNOTE 4.4.7.
struct CRC32 {
    private(set) var value: UInt32 = 0

    mutating func update(_ bytes: RawSpan) {
        value = bytes.withUnsafeBytes { memory in
            // With a null pointer, zlib would return the initial value.
            guard let start = memory.bindMemory(to: UInt8.self).baseAddress else { return value }
            return UInt32(truncatingIfNeeded: crc32_z(UInt(value), start, memory.count))
        }
    }
}
