/// Why a key or a signature could not be read, made or believed.
///
/// ```swift
/// do throws(SigningError) {
///     try signature.verify(message, by: key)
/// } catch {
///     print(error.code == .keyMismatch ? "signed by somebody else" : "changed since it was signed")
/// }
/// ```
public struct SigningError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong, for callers to switch on.
    public let code: Code
    /// The particular finding, in a few words. Never holds anything of a secret key or a password.
    public let detail: String

    init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    /// One line for a log: code and finding.
    public var description: String { "\(code.rawValue): \(detail)" }
}

extension SigningError {
    /// The kind of failure. An open set: later versions may tell more kinds apart.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The stable spelling, fit for logs and for comparing across processes.
        public let rawValue: String

        /// A code by its stable spelling.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }
}

extension SigningError.Code {
    /// A text is no key, no key id or no signature, or is one in more than one way.
    public static let malformed = Self(rawValue: "malformed")
    /// A well-formed key that is not fit for use: another algorithm's, or one that anybody can sign for.
    public static let keyUnfit = Self(rawValue: "keyUnfit")
    /// The signature was made by another key than the one that was asked.
    public static let keyMismatch = Self(rawValue: "keyMismatch")
    /// The key did not sign this message.
    public static let signatureInvalid = Self(rawValue: "signatureInvalid")
    /// The key signed this message, with another trusted comment.
    public static let commentInvalid = Self(rawValue: "commentInvalid")
    /// A comment that has no place in a signature's file.
    public static let commentUnwritable = Self(rawValue: "commentUnwritable")
    /// The secret key is encrypted, and no password was given.
    public static let passwordNeeded = Self(rawValue: "passwordNeeded")
    /// The password does not open the secret key, or the key is damaged; what is encrypted does not tell which.
    public static let passwordWrong = Self(rawValue: "passwordWrong")
    /// A password that protects nothing.
    public static let passwordUnfit = Self(rawValue: "passwordUnfit")
    /// libcrypto refuses to work: no memory, or a configuration that forbids the algorithm.
    public static let cryptoFailed = Self(rawValue: "cryptoFailed")
}
