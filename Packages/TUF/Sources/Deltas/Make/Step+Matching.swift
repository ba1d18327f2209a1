internal import CDelta

extension Step {
    /// Returns the steps from a base to contents, each followed by its bytes, or nil without memory.
    static func bytes(from base: [UInt8], to content: [UInt8]) -> [UInt8]? {
        var (base, content) = (base, content)
        return base.withUnsafeMutableBytes { base in
            content.withUnsafeMutableBytes { content in bytes(from: base, to: content) }
        }
    }

    private static func bytes(
        from base: UnsafeMutableRawBufferPointer, to content: UnsafeMutableRawBufferPointer
    ) -> [UInt8]? {
        var count = 0
        let found = delta_match(
            delta_buffer(bytes: base.baseAddress, size: base.count, done: 0),
            delta_buffer(bytes: content.baseAddress, size: content.count, done: 0), &count)
        guard let found else { return nil }
        defer { delta_free(found) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(content.count + count * length)
        var place = 0
        for step in UnsafeBufferPointer(start: found, count: count) {
            bytes += Step(base: step.base, similar: step.similar, other: step.other).bytes
            for index in 0..<step.similar { bytes.append(content[place + index] &- base[step.base + index]) }
            place += step.similar
            bytes += content[place..<place + step.other]
            place += step.other
        }
        return bytes
    }
}
