import CDigest
import HostSystem
public import PluginCore

/// A team's signed list of a bundle's files, with the size, SHA-256 and executable bit of each.
///
/// The list has every file except those in `signature/`. The SHA-256 of its bytes distinguishes two bundles of the same name and version.
public struct Seal: Hashable, Sendable {
    /// A sealed file.
    public struct File: Hashable, Sendable {
        /// The path in the bundle, with components separated by slashes.
        public let path: String
        /// The size in bytes.
        public let size: UInt64
        /// The SHA-256 of the content, in lowercase hexadecimal.
        public let sha256: String
        /// A Boolean value that indicates whether the file is installed with mode 0555 instead of 0444.
        public let isExecutable: Bool

        /// Creates an entry, which is validated when it becomes part of a seal.
        public init(path: String, size: UInt64, sha256: String, isExecutable: Bool = false) {
            self.path = path
            self.size = size
            self.sha256 = sha256
            self.isExecutable = isExecutable
        }
    }

    /// The only supported format version.
    public static let formatVersion = 1
    /// The maximum size of a seal, in bytes; larger ones are rejected unread.
    public static let sizeLimit = 8 << 20
    /// The folder in a bundle that contains only the seal and its signature, and isn't sealed itself.
    public static let folder = "signature"
    /// The path of the seal in a bundle.
    public static let name = "signature/seal.json"
    /// The path of the seal's signature in a bundle.
    public static let signatureName = "signature/seal.json.minisig"

    /// The team that made the bundle, by its identifier in trust stores.
    public let team: String
    /// The time of signing by the signer's clock, in seconds since 1970.
    public let signedAt: Int64
    /// All files, sorted by the bytes of their paths.
    public let files: [File]

    package init(team: String, signedAt: Int64, sorted files: [File]) {
        self.team = team
        self.signedAt = signedAt
        self.files = files
    }

    /// The signing time in the format of RFC 3339, in UTC.
    public var signedTime: String { UTCTime.text(signedAt) }

    /// Parses a signing time into seconds since 1970.
    ///
    /// - Returns: `nil` for a text that isn't in the format of ``signedTime``.
    public static func time(_ text: String) -> Int64? { UTCTime.seconds(text) }

    /// Returns the file with a path, compared byte by byte.
    public func file(_ path: String) -> File? {
        var range = files.startIndex..<files.endIndex
        while let middle = range.isEmpty ? nil : range.lowerBound + range.count / 2 {
            if files[middle].path.utf8.elementsEqual(path.utf8) { return files[middle] }
            if files[middle].path.utf8.lexicographicallyPrecedes(path.utf8) {
                range = (middle + 1)..<range.upperBound
            } else {
                range = range.lowerBound..<middle
            }
        }
        return nil
    }

    /// Returns the bytes of the seal's file, the only encoding of this seal.
    public func encoded() -> [UInt8] {
        var text = """
            {
              "formatVersion": \(Self.formatVersion),
              "team": \(Self.quoted(team)),
              "signedAt": \(Self.quoted(signedTime)),
              "files": [

            """
        text += files.map(Self.object).joined(separator: ",\n")
        return Array((text + "\n  ]\n}\n").utf8)
    }

    /// Returns the JSON of a file, without a false executable field, as in seals made before the field existed.
    private static func object(_ file: File) -> String {
        let start = "    {\"path\": \(quoted(file.path)), \"size\": \(file.size), \"sha256\": \(quoted(file.sha256))"
        return start + (file.isExecutable ? ", \"executable\": true}" : "}")
    }

    /// Quotes a text, which has neither control characters nor backslashes in a valid seal.
    ///
    /// Works on bytes: a combining accent after a quotation mark forms one `Character` with it, but is two characters in JSON.
    private static func quoted(_ text: String) -> String {
        let mark = UInt8(ascii: "\"")
        let bytes = text.utf8.flatMap { $0 == mark ? [UInt8(ascii: "\\"), mark] : [$0] }
        return "\"" + String(decoding: bytes, as: UTF8.self) + "\""
    }
}

// The libraries for each platform or build lie in a folder of their own (see `LibraryBuild`). The seal lists those of all; a package may lack
// some, and a host stores only its own.
extension Seal {
    /// Returns the platform or build in the path of a library or its folder, or nil for any other path.
    public static func platform(of path: String) -> String? {
        let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].elementsEqual("lib".utf8) else { return nil }
        return String(Substring(parts[1]))
    }

    /// The platforms and builds for which libraries are sealed, by their folders, sorted.
    public var platforms: [String] { Set(files.compactMap { Self.platform(of: $0.path) }).sorted() }

    /// Returns the seal without the libraries of all platforms but one.
    package func part(for platform: String) -> Seal {
        without(Set(platforms).subtracting([platform]))
    }

    /// Returns the seal without the libraries of the platforms that a package or a folder has left out.
    ///
    /// A platform's libraries are left out together or not at all, and never those of all platforms.
    ///
    /// - Parameters:
    ///   - paths: the paths of the files that were found.
    ///   - required: the platform whose libraries must be there; `nil` if those of any one are enough.
    package func present(in paths: some Sequence<String>, requiring required: String? = nil) -> Seal {
        let found = Set(paths.compactMap { Self.platform(of: $0) })
        let absent = Set(platforms).subtracting(found).subtracting([required].compactMap(\.self))
        return absent.count < platforms.count ? without(absent) : self
    }

    private func without(_ absent: Set<String>) -> Seal {
        guard !absent.isEmpty else { return self }
        return Seal(
            team: team, signedAt: signedAt,
            sorted: files.filter { file in Self.platform(of: file.path).map { !absent.contains($0) } ?? true })
    }
}

/// An incremental SHA-256. See FIPS 180-4.
package final class SHA256Hasher {
    fileprivate var context = SHA256_CTX()

    package init() { SHA256_Init(&context) }

    /// Appends bytes to the message.
    package func update(_ bytes: UnsafeRawBufferPointer) { SHA256_Update(&context, bytes.baseAddress, bytes.count) }
}

/// SHA-256 in the format of seals: lowercase hexadecimal.
public enum ContentDigest {
    private static let digits = Array("0123456789abcdef".utf8)

    /// Returns whether a text is a SHA-256 in lowercase hexadecimal.
    package static func isValid(_ text: String) -> Bool {
        text.utf8.count == 64 && text.utf8.allSatisfy(digits.contains)
    }

    /// Returns the digest of bytes.
    public static func of(_ bytes: [UInt8]) throws(AtriumError) -> String {
        let hasher = SHA256Hasher()
        bytes.withUnsafeBytes { hasher.update($0) }
        return try finish(hasher)
    }

    /// Returns the digest of a file.
    ///
    /// - Parameter isLinkFollowed: whether the path may be a link to a file.
    static func of(file: FilePath, isLinkFollowed: Bool = true) throws(AtriumError) -> String {
        try of(file: file) { use throws(AtriumError) in
            try FileSystem.read(file, isLinkFollowed: isLinkFollowed, use)
        }
    }

    /// Returns the digest of a file's content, which the caller reads piece by piece.
    package static func of(
        file: FilePath, reading read: ((UnsafeRawBufferPointer) -> Void) throws(AtriumError) -> Void
    ) throws(AtriumError) -> String {
        let hasher = SHA256Hasher()
        try read { hasher.update($0) }
        return try finish(hasher, of: file.string)
    }

    /// Returns the digest of all bytes. No more can be appended then.
    package static func finish(_ hasher: SHA256Hasher, of subject: String = "SHA-256") throws(AtriumError) -> String {
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        guard SHA256_Final(&digest, &hasher.context) == 1 else {
            throw AtriumError(.inputOutput, subject, reason: "libcryptoHash")
        }
        return String(decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
