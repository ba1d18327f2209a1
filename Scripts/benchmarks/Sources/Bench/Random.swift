/// A generator of reproducible bytes, which uses xorshift64*.
struct Random {
    private static let words = Array("bundle plugin route address page layout seal team trust version ".utf8)
        .split(separator: 32, omittingEmptySubsequences: true).map { Array($0) + [32] }

    var state: UInt64

    mutating func next() -> UInt64 {
        state ^= state >> 12
        state ^= state << 25
        state ^= state >> 27
        return state &* 0x2545_F491_4F6C_DD1D
    }

    mutating func bytes(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 8)
        while bytes.count < count { withUnsafeBytes(of: next()) { bytes.append(contentsOf: $0) } }
        return Array(bytes.prefix(count))
    }

    /// Returns words and numbers, which deflate compresses to about a quarter.
    mutating func text(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count + 32)
        while bytes.count < count {
            let number = next()
            bytes += Self.words[Int(number >> 33) % Self.words.count]
            if number % 4 == 0 { bytes += Array("\(number % 10_000) ".utf8) }
        }
        return Array(bytes.prefix(count))
    }
}
