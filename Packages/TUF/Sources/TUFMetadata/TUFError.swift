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
public struct TUFError: Error, Hashable, CustomStringConvertible {
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
    do {
        return try body()
    } catch {
        throw error.about(name)
    }
}

/// Returns the result of an operation. Its errors name the file.
package func about<Result>(
    _ name: String, do body: @autoclosure () throws(TUFError) -> Result
) throws(TUFError) -> Result { try about(name, body) }

extension TUFError {
    /// The kind of an error. Later versions may add more kinds.
    public enum Code: String, Sendable {
        /// The bytes are not metadata: not JSON, or without the required fields.
        case malformed
        /// The metadata is of another role than expected.
        case wrongRole = "wrong-role"
        /// The metadata follows a version of the specification that this module does not know.
        case specificationUnsupported = "specification-unsupported"
        /// The metadata is not signed by as many of the role's keys as its threshold requires.
        case notSigned = "not-signed"
        /// The metadata has another version than the one announced.
        case versionMismatch = "version-mismatch"
        /// The metadata is older than the trusted one, or lists an older or fewer files: a rollback attack.
        case rollback
        /// The metadata has expired: a freeze attack, or a repository that is not maintained.
        case expired
        /// The file is longer than announced or than the limit: an endless data attack.
        case tooLong = "too-long"
        /// The file is shorter than announced.
        case tooShort = "too-short"
        /// The file does not have the announced hash, or no hash of a known algorithm is announced.
        case hashMismatch = "hash-mismatch"
        /// The snapshot does not list the role.
        case roleUnknown = "role-unknown"
        /// There are more roles than the limit.
        case tooManyRoles = "too-many-roles"
        /// No role that is trusted for the path has a target of this name.
        case targetUnknown = "target-unknown"
        /// The name of the target cannot be part of an address.
        case targetNameUnsafe = "target-name-unsafe"
        /// The repository has no such file.
        case notFound = "not-found"
        /// The repository could not be read.
        case transferFailed = "transfer-failed"
        /// The certificate of the server is not trusted.
        case certificateInvalid = "certificate-invalid"
        /// There is no trusted root yet.
        case rootMissing = "root-missing"
        /// There is a trusted root already.
        case rootPresent = "root-present"
        /// Another process is refreshing the same metadata.
        case busy
        /// A local file could not be read or written.
        case system
        /// A key that cannot be used: not one of the supported kinds, too short, or without security.
        case keyUnfit = "key-unfit"
        /// The secret key is encrypted and the password is missing, empty or wrong.
        case passwordWrong = "password-wrong"
        /// An edit that would make the repository invalid.
        case editInvalid = "edit-invalid"
        /// libcrypto failed: it has no memory, or its configuration forbids the algorithm.
        case cryptoFailed = "crypto-failed"
        /// A web page in place of the file.
        case webPage = "web-page"
        /// Something else in place of the file.
        case otherContent = "other-content"
    }
}
