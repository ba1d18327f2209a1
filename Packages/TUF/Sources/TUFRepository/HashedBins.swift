import TUFMetadata

/// The division of all paths into bins by the first digits of their SHA-256 digests.
struct HashedBins {
    /// A bin and the digits with which the digests of its paths begin.
    struct Bin {
        let name: String
        let prefixes: [String]
    }

    let bins: [Bin]

    init(count: Int) throws(TUFError) {
        guard 1...65_536 ~= count, count.nonzeroBitCount == 1 else {
            throw TUFError(.editInvalid, detail: "\(count) bins are not a power of two of at most 65,536")
        }
        // The fewest digits with which each bin has at least one prefix.
        let digits = max(1, (count.trailingZeroBitCount + 3) / 4)
        let prefixes = 1 << (4 * digits)
        func text(_ number: Int) -> String {
            let text = String(number, radix: 16)
            return String(repeating: "0", count: digits - text.count) + text
        }
        let width = prefixes / count
        bins = (0..<count).map { bin in
            let numbers = (bin * width)..<((bin + 1) * width)
            return Bin(name: "bin-\(text(numbers.lowerBound))", prefixes: numbers.map(text))
        }
    }
}
