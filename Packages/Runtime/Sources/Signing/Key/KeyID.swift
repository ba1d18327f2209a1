import PluginCore

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
