/// Why an archive was refused, or could not be read or written.
///
/// ```swift
/// do {
///     try ZipArchive(path: "shop-1.0.0.zip").extract(to: "Staging/shop")
/// } catch where error.code == .unsafeName {
///     print(error.entry ?? "")
/// }
/// ```
public struct ZipError: Error, Hashable, Sendable {
    /// What went wrong, for callers to switch on.
    public let code: Code
    /// The entry concerned, as the archive spells it; bytes that are no UTF-8 are replaced by U+FFFD.
    public let entry: String?
    /// The file or folder on disk concerned: the one a system call failed on, otherwise the archive.
    public let path: String?
    /// The system's error number; set exactly when `code` is ``Code/system``.
    public let errno: Int32?
    /// The particular finding, in a few words and without the entry or path.
    public let detail: String

    init(_ code: Code, entry: String? = nil, path: String? = nil, errno: Int32? = nil, detail: String = "") {
        self.code = code
        self.entry = entry
        self.path = path
        self.errno = errno
        self.detail = detail
    }
}

extension ZipError {
    /// The kind of failure. An open set: later versions may tell more kinds apart.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable spelling, fit for logs and for comparing across processes.
        public let rawValue: String

        /// A code by its stable spelling.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The file has no end record, so it is no zip archive at all, or it was cut off.
        public static let notAnArchive = Code(rawValue: "not-an-archive")
        /// A record contradicts the format, the file's size, or another record's place.
        public static let malformed = Code(rawValue: "malformed")
        /// Legal by APPNOTE, but not read here: several disks, encryption, other methods or flags.
        public static let unsupported = Code(rawValue: "unsupported")
        /// A name that could lead out of the target, or that two readers may understand differently.
        public static let unsafeName = Code(rawValue: "unsafe-name")
        /// The same name twice, also if only where case or the writing of accents do not count; or one name as both a file
        /// and a folder.
        public static let nameClash = Code(rawValue: "name-clash")
        /// A symbolic link, device, socket or pipe: in the archive, or in a folder to be archived.
        public static let specialFile = Code(rawValue: "special-file")
        /// Two records disagree: the local header and the central directory about an entry, or the two end records of a
        /// ZIP64 archive.
        public static let headerMismatch = Code(rawValue: "header-mismatch")
        /// The compressed bytes are no deflate stream, or end too early or too late.
        public static let corruptData = Code(rawValue: "corrupt-data")
        /// The content is longer or shorter than the directory says, or the directory says what cannot be.
        public static let sizeMismatch = Code(rawValue: "size-mismatch")
        /// The content's CRC-32 is not the one in the directory.
        public static let checksumMismatch = Code(rawValue: "checksum-mismatch")
        /// The archive asks for more than the caller allows.
        public static let limitExceeded = Code(rawValue: "limit-exceeded")
        /// The archive has no file of that name.
        public static let noSuchEntry = Code(rawValue: "no-such-entry")
        /// The folder to extract to is there already.
        public static let targetExists = Code(rawValue: "target-exists")
        /// A file changed while it was being archived.
        public static let changedWhileReading = Code(rawValue: "changed-while-reading")
        /// Who watched the extraction would not have it.
        public static let refused = Code(rawValue: "refused")
        /// The surrounding task was cancelled.
        public static let cancelled = Code(rawValue: "cancelled")
        /// A system call failed: see ``ZipError/path`` and ``ZipError/errno``.
        public static let system = Code(rawValue: "system")
    }
}
