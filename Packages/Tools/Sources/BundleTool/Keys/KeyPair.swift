import Console
import PluginCore
import Signing

/// A new key in its two files: the secret one, which only its owner may read, and the public one.
struct KeyPair {
    let secret: FilePath
    let publicFile: FilePath
    let publicKey: VerifyingKey
    let isEncrypted: Bool

    /// The files of a name: `<name>.key` and `<name>.pub`.
    static func files(of name: String) -> (secret: FilePath, publicFile: FilePath) {
        let stem = name.hasSuffix(".key") || name.hasSuffix(".pub") ? String(name.dropLast(4)) : name
        return (FilePath(stem + ".key"), FilePath(stem + ".pub"))
    }

    /// Makes a key and both files: or neither, when something is in the place of one.
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
            throw AtriumError(.keyInvalid, secret.string, detail: error.detail)
        }
        // The public one first: when an interruption leaves one file alone, it is the one that does no harm.
        try Files.create(publicFile, publicKey.text, mode: 0o644, remedy: Self.remedy)
        do {
            try Files.create(secret, pem, mode: 0o600, remedy: Self.remedy)
        } catch {
            Files.takeBack(publicFile)
            throw error
        }
    }

    /// Says so before anybody is asked for a password.
    static func requireRoom(for name: String) throws {
        let files = files(of: name)
        for path in [files.secret, files.publicFile] where Files.kind(of: path, followingLinks: false) != nil {
            throw PackError.alreadyThere(path, remedy: remedy)
        }
    }

    private static let remedy = "choose another name with --output; a key that was lost cannot be made again"

    func text(for terminal: Terminal) -> String {
        var table = Table([Table.Column("FILE"), Table.Column("HOLDS")])
        table.add([
            secret.string, "the secret key\(isEncrypted ? "" : ", not encrypted"): show it to nobody, keep a copy",
        ])
        table.add([publicFile.string, "the public key \(publicKey.id), for the hosts that are to trust you"])
        return table.rendered(for: terminal)
    }

    var json: JSONText {
        [
            "secretKey": .string(secret.string), "publicKey": .string(publicFile.string),
            "keyID": .string("\(publicKey.id)"), "key": .string(publicKey.base64), "encrypted": .bool(isEncrypted),
        ]
    }
}
