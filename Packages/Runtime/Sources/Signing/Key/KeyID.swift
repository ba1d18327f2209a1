/// The eight bytes by which a signature names its key.
///
/// A hint, not a proof: anybody can make a key with a given id.
public struct KeyID: Hashable, Sendable {
    /// In the order in which they stand in files.
    public let bytes: [UInt8]

    /// - Parameter bytes: eight of them.
    init(_ bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
    }

    /// Reads what ``description`` prints; either case will do, and zeros at the start may be missing, as `minisign` omits
    /// them.
    public init(_ text: String) throws(SigningError) {
        guard (1...16).contains(text.utf8.count), !text.hasPrefix("+"), let number = UInt64(text, radix: 16) else {
            throw SigningError(.malformed, "a key id is up to 16 hexadecimal digits")
        }
        bytes = (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}

extension KeyID: CustomStringConvertible {
    /// 16 upper-case hexadecimal digits, the last byte first, as in minisign's messages.
    public var description: String { bytes.reversed().hexadecimal.uppercased() }
}
