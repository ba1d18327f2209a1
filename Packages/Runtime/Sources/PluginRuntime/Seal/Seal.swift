/// What a team says is in a bundle, and that it is theirs: every file but those in `signature/`, with size and SHA-256, and
/// whether it may be executed.
///
/// The SHA-256 of its bytes is what tells two bundles of one name and version apart.
public struct Seal: Hashable, Sendable {
    /// A file that is sealed.
    public struct File: Hashable, Sendable {
        /// Its path in the bundle, components separated by `/`.
        public let path: String
        /// Its size in bytes.
        public let size: UInt64
        /// The SHA-256 of its content, in lower-case hexadecimal.
        public let sha256: String
        /// A Boolean value that indicates whether its mode is 0555 where it is unpacked, and not 0444.
        public let isExecutable: Bool

        /// Names a file; what it may be is judged when it becomes part of a seal.
        public init(path: String, size: UInt64, sha256: String, isExecutable: Bool = false) {
            self.path = path
            self.size = size
            self.sha256 = sha256
            self.isExecutable = isExecutable
        }
    }

    /// The only `formatVersion` there is.
    public static let formatVersion = 1
    /// Seals larger than this, in bytes, are refused unread.
    public static let sizeLimit = 8 << 20
    /// The folder in a bundle that is not sealed, because seal and signature are in it, and nothing else.
    public static let folder = "signature"
    /// Where in a bundle the seal is.
    public static let name = "signature/seal.json"
    /// Where its signature is.
    public static let signatureName = "signature/seal.json.minisig"

    /// Who made the bundle, by the name that trust stores have for them.
    public let team: String
    /// When it was signed, in seconds since 1970, by the signer's clock.
    public let signedAt: Int64
    /// All files, by the bytes of their paths.
    public let files: [File]

    init(team: String, signedAt: Int64, sorted files: [File]) {
        self.team = team
        self.signedAt = signedAt
        self.files = files
    }

    /// The signing time as RFC 3339 writes it, in UTC.
    public var signedTime: String { UTCTime.text(signedAt) }

    /// Seconds since 1970 of a time as ``signedTime`` writes it; `nil` for any other text.
    public static func time(_ text: String) -> Int64? { UTCTime.seconds(text) }

    /// The file of exactly that path, byte by byte.
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
}
