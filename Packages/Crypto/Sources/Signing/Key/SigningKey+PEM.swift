import LibCrypto
import PluginCore

/// PKCS#8 keys in PEM, as OpenSSL writes them.
extension SigningKey {
    /// Parses a secret key, encrypted or not. The password is ignored for an unencrypted key.
    ///
    /// Other text may precede the only block, because tools write comments there. A PEM does not contain a key identifier, so the key gets the
    /// one that ``generate()`` would use.
    public init(pem: String, password: String?) throws(SigningError) {
        let key: CryptoKey
        do {
            key = try CryptoKey.secret(pem: pem, password: password)
        } catch {
            throw SigningError(error)
        }
        guard key.kind == .ed25519 else { throw SigningError(.keyUnfit, reason: "keyNotEd25519") }
        try self.init(key)
    }

    /// Returns the content of the key file. With a password, it is encrypted with PBES2, scrypt and AES-256-CBC.
    ///
    /// - Throws: ``SigningError`` with code `passwordUnfit` for an empty password.
    public func pem(password: String?) throws(SigningError) -> String {
        guard password != "" else { throw SigningError(.passwordUnfit, reason: "passwordEmpty") }
        guard let text = key.secretPEM(password: password) else {
            throw .crypto(password == nil ? "libcryptoWrite" : "libcryptoEncrypt")
        }
        return text
    }
}

extension SigningError {
    fileprivate init(_ problem: PEMProblem) {
        switch problem {
        case .form: self.init(.malformed, reason: "secretKeyForm")
        case .label:
            self.init(
                .malformed, reason: "pemBlockKind",
                ["plain": .text("PRIVATE KEY"), "encrypted": .text("ENCRYPTED PRIVATE KEY")])
        case .damaged: self.init(.malformed, reason: "pemDamaged")
        case .unsupported: self.init(.malformed, reason: "pemKeyUnsupported")
        case .costly: self = PasswordCost.excess
        case .passwordMissing: self.init(.passwordNeeded, reason: "keyEncrypted")
        case .passwordWrong: self.init(.passwordWrong, reason: "passwordOrKeyWrong")
        }
    }
}
