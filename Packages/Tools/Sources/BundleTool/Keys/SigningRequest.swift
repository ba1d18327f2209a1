import BundleFormat
import Console
import PluginCore
import PluginRuntime
import Signing

/// A request to sign a package, with the path of the key, the team and the time.
struct SigningRequest {
    let key: FilePath
    let passwordFile: FilePath?
    let team: String
    /// The signing time in seconds since 1970.
    let time: Int64

    /// Decrypts the key.
    ///
    /// - Parameter ask: asks for the password of an encrypted key if no password file is given.
    /// - Throws: ``PackError``, ``KeyError``, `AtriumError` with code `keyInvalid`.
    func sealer(ask: KeyPassword.Asking = { try SecretInput.line(prompt: $0) }) throws -> Sealer {
        let text = try SigningOptions.text(
            of: key, remedy: "specify the file of a secret key; \"bundletool keygen\" creates one")
        if (try? VerifyingKey(text)) != nil {
            throw AtriumError(
                .keyInvalid, key.string,
                message: "\(quoted(key.string)) is a public key, but packages are signed with the secret key",
                remedy:
                    "specify the secret key, which \"bundletool keygen\" writes next to it with the extension .key"
            )
        }
        let given = try passwordFile.map { try KeyPassword.first(lineOf: $0) }
        do throws(SigningError) {
            return sealer(try SigningKey(text: text, password: given))
        } catch {
            guard error.code == .passwordNeeded else { throw refusal(error) }
        }
        let password = try KeyPassword.existing(of: key, ask)
        do throws(SigningError) {
            return sealer(try SigningKey(text: text, password: password))
        } catch {
            throw refusal(error)
        }
    }

    private func sealer(_ key: SigningKey) -> Sealer { Sealer(key: key, team: team, signedAt: time) }

    private func refusal(_ error: SigningError) -> any Error {
        if error.code == .passwordWrong { return KeyError.passwordWrong(key) }
        return AtriumError(.keyInvalid, key.string, reason: error.reason)
    }
}
