/// The public keys of Ed25519 that nobody may use, although libcrypto accepts them.
enum Ed25519Point {
    /// Returns whether a point is encoded in the only way that RFC 8032 allows, and has no small order.
    ///
    /// For a point of small order, anybody can make signatures that are valid for many messages.
    static func isSecure(_ point: [UInt8]) -> Bool {
        guard point.count == 32 else { return false }
        // The highest bit is the sign of the other coordinate. Both signs have the same order.
        let unsigned = Array(point.dropLast()) + point.suffix(1).map { $0 & 0x7F }
        return isBelowPrime(unsigned) && !smallOrder.contains(unsigned)
    }

    /// Returns whether a number in little-endian order is less than 2^255 - 19.
    private static func isBelowPrime(_ number: [UInt8]) -> Bool {
        let prime: [UInt8] = [0xED] + [UInt8](repeating: 0xFF, count: 30) + [0x7F]
        return number.reversed().lexicographicallyPrecedes(prime.reversed())
    }

    /// The canonical points with an order of 1, 2, 4 or 8, without their signs.
    private static let smallOrder: [[UInt8]] = [
        [UInt8](repeating: 0, count: 32),
        [1] + [UInt8](repeating: 0, count: 31),
        [0xEC] + [UInt8](repeating: 0xFF, count: 30) + [0x7F],
        [
            0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4, 0x89, 0xf2, 0xef, 0x98, 0xf0,
            0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6, 0x33, 0x39, 0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53, 0xfc, 0x05,
        ],
        [
            0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b, 0x76, 0x0d, 0x10, 0x67, 0x0f,
            0x2a, 0x20, 0x53, 0xfa, 0x2c, 0x39, 0xcc, 0xc6, 0x4e, 0xc7, 0xfd, 0x77, 0x92, 0xac, 0x03, 0x7a,
        ],
    ]
}
