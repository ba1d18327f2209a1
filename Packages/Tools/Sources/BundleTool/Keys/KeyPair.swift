import BundleFormat
import Console
import PluginCore
import Signing

/// A new key pair in a secret file that only its owner may read, and a public file.
struct KeyPair {
    let secret: FilePath
    let publicFile: FilePath
    let publicKey: VerifyingKey
    let isEncrypted: Bool

    /// Returns the paths `<name>.key` and `<name>.pub`.
    static func files(of name: String) -> (secret: FilePath, publicFile: FilePath) {
        let stem = name.hasSuffix(".key") || name.hasSuffix(".pub") ? String(name.dropLast(4)) : name
        return (FilePath(stem + ".key"), FilePath(stem + ".pub"))
    }

    /// Creates a key and writes both files, or neither if one of them exists.
    ///
    /// - Throws: ``PackError``, `AtriumError` with code `keyInvalid` or `inputOutput`.
    init(named name: String, password: String?) throws {
        (secret, publicFile) = Self.files(of: name)
        isEncrypted = password != nil
        let pem: String
        do throws(SigningError) {
            let key = try SigningKey.generate()
            publicKey = key.publicKey
            pem = try key.pem(password: password)
        } catch {
            throw AtriumError(.keyInvalid, secret.string, reason: error.reason)
        }
        // The public file comes first, because it is harmless if an interruption leaves one file.
        try Files.create(publicFile, publicKey.text, mode: 0o644, remedy: Self.remedy)
        do {
            try Files.create(secret, pem, mode: 0o600, remedy: Self.remedy)
        } catch {
            Files.takeBack(publicFile)
            throw error
        }
    }

    /// Checks that neither file exists, before the user is asked for a password.
    static func requireRoom(for name: String) throws {
        let files = files(of: name)
        for path in [files.secret, files.publicFile] where Files.kind(of: path, followingLinks: false) != nil {
            throw PackError.alreadyThere(path, remedy: remedy)
        }
    }

    private static let remedy = "choose another name with --output; a lost key cannot be recreated"

    func text(for terminal: Terminal) -> String {
        var table = Table([Table.Column("FILE"), Table.Column("HOLDS")])
        table.add([
            secret.string, "the secret key\(isEncrypted ? "" : ", not encrypted"): keep it secret, and keep a copy",
        ])
        table.add([publicFile.string, "the public key \(publicKey.id), for the hosts that should trust you"])
        return table.rendered(for: terminal)
    }

    var json: JSONText {
        [
            "secretKey": .string(secret.string), "publicKey": .string(publicFile.string),
            "keyID": .string("\(publicKey.id)"), "key": .string(publicKey.base64), "encrypted": .bool(isEncrypted),
        ]
    }
}
