import Glibc

/// A generator of reproducible random numbers.
struct Seed: RandomNumberGenerator {
    private var numbers: SplitMix

    init(_ seed: UInt64) { numbers = SplitMix(seed: seed) }

    mutating func next() -> UInt64 { numbers.next() }

    /// The seeds of random tests, which are fixed except for an additional one in `ATRIUM_SEED`.
    static var all: [UInt64] {
        [1, 2] + [getenv("ATRIUM_SEED").flatMap { UInt64(String(cString: $0)) }].compactMap { $0 }
    }
}
