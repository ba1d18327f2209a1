import Glibc

/// A generator of reproducible random numbers, which uses SplitMix64.
struct Seed: RandomNumberGenerator {
    private var state: UInt64

    init(_ seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    /// The seeds of random tests, which are fixed except for an additional one in `ATRIUM_SEED`.
    static var all: [UInt64] {
        [1, 2] + [getenv("ATRIUM_SEED").flatMap { UInt64(String(cString: $0)) }].compactMap { $0 }
    }
}
