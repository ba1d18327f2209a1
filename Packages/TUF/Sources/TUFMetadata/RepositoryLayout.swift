import LibCrypto

/// The paths of a repository's files, percent-encoded.
public enum RepositoryLayout {
    /// Returns the path of a metadata file.
    ///
    /// - Parameter version: The version for a repository with consistent snapshots, or nil.
    public static func metadata(_ role: String, version: Int?) -> String {
        (version.map { "\($0)." } ?? "") + PercentEncoding.encoded(role) + ".json"
    }

    /// Returns the path of a target.
    ///
    /// - Parameters:
    ///   - path: The name of the target in metadata.
    ///   - hash: The hash for a repository with consistent snapshots, or nil.
    ///   - isEncoded: A Boolean value that indicates whether the result is for an address, rather than for a file.
    /// - Throws: ``TUFError`` with code `targetNameUnsafe` for a path with empty parts or dots, which would lead elsewhere.
    public static func target(_ path: String, hash: String?, isEncoded: Bool = true) throws(TUFError) -> String {
        var parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard let name = parts.popLast(), !parts.contains(where: { ["", ".", ".."].contains($0) }),
            !["", ".", ".."].contains(name), !path.utf8.contains(0)
        else { throw TUFError(.targetNameUnsafe, path) }
        parts.append((hash.map { "\($0)." } ?? "") + name)
        return parts.map { isEncoded ? PercentEncoding.encoded($0) : $0 }.joined(separator: "/")
    }
}

/// Percent-encoding of names in addresses and file names.
///
/// See RFC 3986, section 2.
package enum PercentEncoding {
    /// Encodes all bytes but letters, digits, and `-._~`. Two names never get the same text.
    package static func encoded(_ name: some StringProtocol) -> String {
        var text: [UInt8] = []
        for byte in name.utf8 {
            text += unreserved.contains(byte) ? [byte] : Array("%\([byte].hexadecimal.uppercased())".utf8)
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static let unreserved = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)

    /// Decodes a text, or returns nil unless its bytes are UTF-8.
    package static func decoded(_ text: some StringProtocol) -> String? {
        let parts = text.split(separator: "%", omittingEmptySubsequences: false)
        var bytes = Array(parts[0].utf8)
        for part in parts.dropFirst() {
            guard let byte = Hexadecimal.bytes(of: String(part.prefix(2))), !byte.isEmpty else { return nil }
            bytes += byte + part.dropFirst(2).utf8
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
