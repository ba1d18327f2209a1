internal import PluginCore

extension AddressBytes {
    /// The text of a piece of an address that is well formed.
    func decoded(_ range: Range<Int>) -> String {
        let piece = bytes.buffer(range)
        if layout.isPlain { return String(decoding: piece, as: UTF8.self) }
        return (try? PercentCoding.decode(piece)) ?? String(decoding: piece, as: UTF8.self)
    }

    /// The text of each segment of a piece.
    func decodedSegments(_ range: Range<Int>) -> [String] {
        var segments: [String] = []
        var start = range.lowerBound
        while start <= range.upperBound {
            let end = end(of: start, limit: range.upperBound)
            segments.append(decoded(start..<end))
            start = end + 1
        }
        return segments
    }

    /// How many segments a piece has that is not without any.
    func segmentCount(_ range: Range<Int>) -> Int {
        var count = 1
        for index in range where bytes[index] == separator { count += 1 }
        return count
    }

    /// Hands over the decoded bytes of a piece.
    func withDecoded<R>(_ range: Range<Int>, _ body: (UnsafeBufferPointer<UInt8>) -> R?) -> R? {
        if layout.isPlain { return body(bytes.buffer(range)) }
        return withUnsafeTemporaryAllocation(byteCount: range.count, alignment: 1) { memory -> R? in
            guard let end = decode(range, into: memory, at: 0, separator: separator) else { return nil }
            return body(
                UnsafeBufferPointer(rebasing: UnsafeRawBufferPointer(memory).bindMemory(to: UInt8.self)[..<end]))
        }
    }

    /// Where a piece of a segment's decoded bytes is written.
    func written(_ decoded: Range<Int>, in segment: Range<Int>) -> Range<Int> {
        if layout.isPlain {
            return (segment.lowerBound + decoded.lowerBound)..<(segment.lowerBound + decoded.upperBound)
        }
        let start = written(after: decoded.lowerBound, from: segment.lowerBound)
        return start..<written(after: decoded.count, from: start)
    }

    /// Where so many decoded bytes end.
    private func written(after count: Int, from start: Int) -> Int {
        var place = start
        for _ in 0..<count { place += bytes[place] == UInt8(ascii: "%") ? 3 : 1 }
        return place
    }
}
