public import PluginCore

/// The reason why a key or signature could not be read, created or verified.
///
/// ```swift
/// do throws(SigningError) {
///     try signature.verify(message, by: key)
/// } catch {
///     print(error.code == .keyMismatch ? "signed by somebody else" : "changed since it was signed")
/// }
/// ```
public struct SigningError: Error, Hashable, CustomStringConvertible {
    /// The kind of error, for a switch.
    public let code: Code
    /// The reason, whose values never contain secret keys or passwords.
    public let reason: ErrorReason

    init(_ code: Code, reason: ErrorReason) {
        self.code = code
        self.reason = reason
    }

    init(_ code: Code, reason: String, _ values: [String: ErrorReason.Value] = [:]) {
        self.init(code, reason: ErrorReason(reason, values))
    }

    /// A line for logs with code and reason.
    public var description: String { "\(code.rawValue): \(reason)" }

    /// The kind of an error. Later versions may add more kinds.
    public enum Code: String, Sendable {
        /// A text is not a key, key identifier or signature, or is not in canonical form.
        case malformed
        /// A well-formed key that must not be used: one of another algorithm, or one without security.
        case keyUnfit
        /// The signature was made with another key.
        case keyMismatch
        /// The signature is not one of this message.
        case signatureInvalid
        /// The signature is valid for this message, but not for this trusted comment.
        case commentInvalid
        /// The comment cannot be written into a signature file.
        case commentUnwritable
        /// The secret key is encrypted, but no password was given.
        case passwordNeeded
        /// The password is wrong or the encrypted key is damaged, which cannot be distinguished.
        case passwordWrong
        /// The password is empty.
        case passwordUnfit
        /// libcrypto failed: it has no memory, or its configuration forbids the algorithm.
        case cryptoFailed
    }
}
