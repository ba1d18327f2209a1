package import HostSystem

/// The reason why metadata or a target is not trusted, or could not be read or written.
///
/// ```swift
/// do throws(TUFError) {
///     try await client.refresh()
/// } catch where error.code == .expired {
///     print("the repository has not been signed since \(error.detail)")
/// }
/// ```
public struct TUFError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error, for a switch.
    public let code: Code
    /// The metadata file or the target concerned, such as `snapshot.json`, or empty.
    public let subject: String
    /// A short detail for logs.
    public let detail: String

    /// Creates an error.
    public init(_ code: Code, _ subject: String = "", detail: String = "") {
        self.code = code
        self.subject = subject
        self.detail = detail
    }

    /// Returns the error with a subject, unless it has one.
    public func about(_ subject: String) -> TUFError {
        TUFError(code, self.subject.isEmpty ? subject : self.subject, detail: detail)
    }

    /// A line for logs with code, subject and detail. Names are quoted and escaped, because a server may use any.
    public var description: String {
        code.rawValue + (subject.isEmpty ? "" : ": \(subject.debugDescription)") + (detail.isEmpty ? "" : ": \(detail)")
    }
}

/// A folder or file whose errors are those of TUF.
package typealias Folder = Descriptor<TUFError>

/// The exclusive use of a folder.
package typealias FolderUse = Descriptor<TUFError>.Lock

extension TUFError: SystemFailure {
    package init(errno: Int32, path: String) { self.init(.system, detail: Self.text(errno: errno, path: path)) }
}

/// Adds the name of a file to the errors of a closure.
package func about<Result>(_ name: String, _ body: () throws(TUFError) -> Result) throws(TUFError) -> Result {
    do throws(TUFError) {
        return try body()
    } catch {
        throw error.about(name)
    }
}

extension TUFError {
    /// The kind of an error. Later versions may add more kinds.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable name for logs and other processes.
        public let rawValue: String

        /// Creates a code from its stable name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }
}

extension TUFError.Code {
    /// The bytes are not metadata: not JSON, or without the required fields.
    public static let malformed = Self(rawValue: "malformed")
    /// The metadata is of another role than expected.
    public static let wrongRole = Self(rawValue: "wrong-role")
    /// The metadata follows a version of the specification that this module does not know.
    public static let specificationUnsupported = Self(rawValue: "specification-unsupported")
    /// The metadata is not signed by as many of the role's keys as its threshold requires.
    public static let notSigned = Self(rawValue: "not-signed")
    /// The metadata has another version than the one announced.
    public static let versionMismatch = Self(rawValue: "version-mismatch")
    /// The metadata is older than the trusted one, or lists an older or fewer files: a rollback attack.
    public static let rollback = Self(rawValue: "rollback")
    /// The metadata has expired: a freeze attack, or a repository that is not maintained.
    public static let expired = Self(rawValue: "expired")
    /// The file is longer than announced or than the limit: an endless data attack.
    public static let tooLong = Self(rawValue: "too-long")
    /// The file is shorter than announced.
    public static let tooShort = Self(rawValue: "too-short")
    /// The file does not have the announced hash, or no hash of a known algorithm is announced.
    public static let hashMismatch = Self(rawValue: "hash-mismatch")
    /// The snapshot does not list the role.
    public static let roleUnknown = Self(rawValue: "role-unknown")
    /// There are more roles than the limit.
    public static let tooManyRoles = Self(rawValue: "too-many-roles")
    /// No role that is trusted for the path has a target of this name.
    public static let targetUnknown = Self(rawValue: "target-unknown")
    /// The name of the target cannot be part of an address.
    public static let targetNameUnsafe = Self(rawValue: "target-name-unsafe")
    /// The repository has no such file.
    public static let notFound = Self(rawValue: "not-found")
    /// The repository could not be read.
    public static let transferFailed = Self(rawValue: "transfer-failed")
    /// The certificate of the server is not trusted.
    public static let certificateInvalid = Self(rawValue: "certificate-invalid")
    /// There is no trusted root yet.
    public static let rootMissing = Self(rawValue: "root-missing")
    /// There is a trusted root already.
    public static let rootPresent = Self(rawValue: "root-present")
    /// Another process is refreshing the same metadata.
    public static let busy = Self(rawValue: "busy")
    /// A local file could not be read or written.
    public static let system = Self(rawValue: "system")
    /// A key that cannot be used: not one of the supported kinds, too short, or without security.
    public static let keyUnfit = Self(rawValue: "key-unfit")
    /// The secret key is encrypted and the password is missing, empty or wrong.
    public static let passwordWrong = Self(rawValue: "password-wrong")
    /// An edit that would make the repository invalid.
    public static let editInvalid = Self(rawValue: "edit-invalid")
    /// libcrypto failed: it has no memory, or its configuration forbids the algorithm.
    public static let cryptoFailed = Self(rawValue: "crypto-failed")
}
