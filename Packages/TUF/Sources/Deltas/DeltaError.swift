internal import Files

/// The reason why a delta was not made or not applied.
public struct DeltaError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error, for a switch.
    public let code: Code
    /// The path of the delta or of the file.
    public let path: String
    /// A short detail for logs.
    public let detail: String

    init(_ code: Code, _ path: String, detail: String = "") {
        self.code = code
        self.path = path
        self.detail = detail
    }

    init(_ error: FileError) {
        self.init(error.isFull ? .diskFull : .fileFailed, error.path, detail: error.description)
    }

    /// A line for logs with code, path and detail.
    public var description: String {
        "\(code.rawValue): \(path.debugDescription)" + (detail.isEmpty ? "" : ": \(detail)")
    }
}

extension DeltaError {
    /// The kind of an error. Later versions may add more kinds.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable name for logs and other processes.
        public let rawValue: String

        /// Creates a code from its stable name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The file is not a delta, or is damaged.
        public static let malformed = Code(rawValue: "malformed")
        /// The delta was made for another base.
        public static let baseMismatch = Code(rawValue: "base-mismatch")
        /// The base is not an archive that can be read.
        public static let baseInvalid = Code(rawValue: "base-invalid")
        /// The base or the package is larger than the limit.
        public static let tooLarge = Code(rawValue: "too-large")
        /// The result is not the expected package.
        public static let hashMismatch = Code(rawValue: "hash-mismatch")
        /// The disk is full.
        public static let diskFull = Code(rawValue: "disk-full")
        /// A file could not be read or written.
        public static let fileFailed = Code(rawValue: "file-failed")
        /// libzstd is not installed, or there is no memory.
        public static let unavailable = Code(rawValue: "unavailable")
    }
}

/// Makes the errors of files those of deltas.
func files<Value>(_ body: () throws(FileError) -> Value) throws(DeltaError) -> Value {
    do throws(FileError) {
        return try body()
    } catch {
        throw DeltaError(error)
    }
}
