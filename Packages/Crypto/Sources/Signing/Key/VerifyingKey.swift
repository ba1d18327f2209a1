import PluginCore

/// A public key, which verifies the signatures of its owner.
///
/// ```swift
/// let key = try VerifyingKey("RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3")
/// print(key.id)  // E7620F1842B4E81F
/// ```
public struct VerifyingKey: Hashable, Sendable {
    /// The identifier in signatures. It is not derived from the key, so two keys may have the same one.
    public let id: KeyID
    /// The public point of 32 bytes, which is the key itself. A key may have several identifiers.
    ///
    /// See RFC 8032.
    public let point: [UInt8]

    init(id: KeyID, point: [UInt8]) throws(SigningError) {
        guard !SmallOrder.contains(point) else {
            throw SigningError(.keyUnfit, reason: "publicKeyWeak")
        }
        self.id = id
        self.point = point
    }

    /// Parses a public key file of minisign, or its second line alone.
    ///
    /// - Throws: ``SigningError`` with code `malformed` for any text that `minisign` would not write, and `keyUnfit` for a key without
    ///   security.
    public init(_ text: String) throws(SigningError) {
        let hasComment = text.hasPrefix(Self.comment)
        let lines = TextLines.lines(of: text, count: hasComment ? 2 : 1, limit: 4096, isLastOpen: true)
        guard let lines, let line = lines.last, !hasComment || lines.first.map(TextLines.isOneLine) == true else {
            throw SigningError(
                .malformed, reason: "publicKeyForm")
        }
        guard let bytes = Base64.bytes(of: line, count: 42) else {
            throw SigningError(.malformed, reason: "publicKeyLength")
        }
        guard bytes.starts(with: Self.algorithm) else {
            throw SigningError(.malformed, reason: "publicKeyStart")
        }
        try self.init(id: KeyID(bytes[2..<10]), point: Array(bytes[10...]))
    }

    /// The line that minisign accepts as an option.
    public var base64: String { Base64.text(of: Self.algorithm + id.bytes + point) }

    /// The content of a public key file.
    public var text: String { "\(Self.comment)minisign public key \(id)\n\(base64)\n" }

    static let comment = "untrusted comment: "
    static let algorithm = Array("Ed".utf8)
}

/// The identifier by which a signature refers to its key.
///
/// It has eight bytes. It proves nothing, because anyone can create a key with a given identifier.
public struct KeyID: Hashable, Sendable {
    /// The bytes in the order of files.
    public let bytes: [UInt8]

    /// - Parameter bytes: Eight bytes.
    init(_ bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
    }

    /// Parses the textual form of an identifier.
    ///
    /// Both cases are accepted, and leading zeros may be missing, because `minisign` omits them.
    public init(_ text: String) throws(SigningError) {
        guard (1...16).contains(text.utf8.count), !text.hasPrefix("+"), let number = UInt64(text, radix: 16) else {
            throw SigningError(.malformed, reason: "keyIDForm")
        }
        bytes = (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}

extension KeyID: CustomStringConvertible {
    /// The identifier as 16 uppercase hexadecimal digits, last byte first, as in the messages of minisign.
    public var description: String { bytes.reversed().hexadecimal.uppercased() }
}

/// The points of Ed25519 with an order of 1, 2, 4 or 8.
///
/// A signature for such a key can be created without a secret. libcrypto accepts these keys, but libsodium and therefore minisign does not.
enum SmallOrder {
    static func contains(_ point: [UInt8]) -> Bool {
        guard let last = point.last else { return false }
        // The highest bit is the sign of the other coordinate. Both signs have the same order.
        let unsigned = Array(point.dropLast()) + [last & 0x7f]
        return points.contains(unsigned)
    }

    /// The points, including non-canonical encodings of 0 and 1.
    private static let points: Set<[UInt8]> = [
        [UInt8](repeating: 0, count: 32),
        [1] + [UInt8](repeating: 0, count: 31),
        [
            0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4, 0x89, 0xf2, 0xef, 0x98, 0xf0,
            0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6, 0x33, 0x39, 0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53, 0xfc, 0x05,
        ],
        [
            0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b, 0x76, 0x0d, 0x10, 0x67, 0x0f,
            0x2a, 0x20, 0x53, 0xfa, 0x2c, 0x39, 0xcc, 0xc6, 0x4e, 0xc7, 0xfd, 0x77, 0x92, 0xac, 0x03, 0x7a,
        ],
        aroundPrime(0xec), aroundPrime(0xed), aroundPrime(0xee),
    ]

    /// Returns an encoding near the prime 2^255 - 19, whose lowest byte is 0xed.
    private static func aroundPrime(_ lowest: UInt8) -> [UInt8] {
        [lowest] + [UInt8](repeating: 0xff, count: 30) + [0x7f]
    }
}
