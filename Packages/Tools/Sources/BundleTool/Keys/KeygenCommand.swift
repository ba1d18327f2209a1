import BundleFormat
import Console
import PluginCore
import Signing

/// The `bundletool keygen` command.
let keygenCommand = ProgramCommand(
    "keygen",
    options: [
        .value("output", short: "o", placeholder: "name", default: "team", kind: .file),
        KeyPassword.option, .flag("no-password"),
    ]
) { try keygen($0, on: $1, ask: SecretInput.line(prompt:)) }

/// Creates a key pair.
///
/// - Parameter ask: shows a prompt on the terminal and returns the typed line.
func keygen(_ parsed: ParsedCommand, on terminal: Terminal, ask: KeyPassword.Asking) throws -> Answer {
    let name = parsed.value("output") ?? ""
    guard let last = name.split(separator: "/", omittingEmptySubsequences: false).last,
        !["", ".", "..", ".key", ".pub"].contains(last)
    else { throw parsed.invalid("--output", name) }
    try parsed.requireOne(of: "no-password", "password-file")
    let secret = KeyPair.files(of: name).secret
    try KeyPair.requireRoom(for: name)
    var password: String?
    if let file = parsed.file("password-file") {
        password = try KeyPassword.first(lineOf: file)
    } else if !parsed.flag("no-password") {
        let refusal = AtriumError(.keyInvalid, name, reason: "noPassword")
        password = try KeyPassword.new(for: secret, parsed, ask, orCanceled: refusal)
    }
    let pair = try KeyPair(named: name, password: password)
    let secrecy = "the secret key\(password == nil ? ", not encrypted" : ""): keep it secret, and keep a copy"
    let rows = [
        [pair.secret.string, secrecy],
        [pair.publicFile.string, "the public key \(pair.publicKey.id), for the hosts that should trust you"],
    ]
    return Answer(
        text: Table(["FILE", "HOLDS"], rows: rows).rendered(for: terminal),
        json: [
            "secretKey": pair.secret, "publicKey": pair.publicFile, "keyID": "\(pair.publicKey.id)",
            "key": pair.publicKey.base64, "encrypted": password != nil,
        ])
}

/// A new key pair in a secret file that only its owner may read, and a public file.
struct KeyPair {
    let secret: FilePath
    let publicFile: FilePath
    let publicKey: VerifyingKey

    /// Returns the paths `<name>.key` and `<name>.pub`.
    static func files(of name: String) -> (secret: FilePath, publicFile: FilePath) {
        let stem = name.hasSuffix(".key") || name.hasSuffix(".pub") ? String(name.dropLast(4)) : name
        return (FilePath(stem + ".key"), FilePath(stem + ".pub"))
    }

    /// Creates a key and writes both files, or neither if one of them exists.
    ///
    /// - Throws: ``CommandError``, `AtriumError` with code `keyInvalid` or `inputOutput`.
    init(named name: String, password: String?) throws {
        (secret, publicFile) = Self.files(of: name)
        let pem: String
        do {
            let key = try SigningKey.generate()
            publicKey = key.publicKey
            pem = try key.pem(password: password)
        } catch {
            throw AtriumError(.keyInvalid, secret, reason: error.reason)
        }
        // The public file comes first, because it is harmless if an interruption leaves one file.
        try Files.create(publicFile, publicKey.text, mode: 0o644, remedy: Self.remedy)
        do {
            try Files.create(secret, pem, mode: 0o600, remedy: Self.remedy)
        } catch {
            Files.removeTree(publicFile)
            throw error
        }
    }

    /// Checks that neither file exists, before the user is asked for a password.
    static func requireRoom(for name: String) throws {
        let files = files(of: name)
        for path in [files.secret, files.publicFile] where Files.kind(of: path, followingLinks: false) != nil {
            throw CommandError.alreadyThere(path, remedy: remedy)
        }
    }

    private static let remedy = "keys"
}

/// The sources of a secret key's password.
enum KeyPassword {
    /// A function that shows a prompt on the terminal and returns the typed line.
    typealias Asking = (_ prompt: String) throws -> String

    /// The maximum length in bytes.
    static let limit = 1_024
    static let option = Command.Option.value("password-file", kind: .file)

    /// Reads the first line of a file, or of standard input for `-`.
    ///
    /// - Throws: ``CommandError``, and the errors of ``Files``.
    static func first(lineOf path: FilePath) throws -> String {
        do {
            let file = try path.string == "-" ? NamedFile.standardInput() : NamedFile(path)
            var line: [UInt8] = []
            // Nothing is read after the line, because the writer may leave a pipe open.
            while line.count <= limit, let byte = try file.read(atMost: 1)?.first, ![0x0A, 0x0D].contains(byte) {
                line.append(byte)
            }
            if line.count <= limit, let password = String(validating: line, as: UTF8.self) { return password }
            throw CommandError(.badInput, path, reason: "passwordUnreadable", ["limit": .integer(limit)])
        } catch let error as AtriumError where error.code == NamedFile.unknown {
            throw CommandError.notThere(path, remedy: "password")
        }
    }

    /// Asks once for the password of an existing key.
    ///
    /// - Throws: ``CommandError``, `passwordNeeded` or `passwordRefused`.
    static func existing(of key: FilePath, _ ask: Asking = SecretInput.line(prompt:)) throws -> String {
        do {
            return try ask("Password for \(printable(key)): ")
        } catch SecretInput.Failure.noTerminal {
            throw CommandError(.usage, key, code: "passwordNeeded", reason: "passwordMissing")
        } catch SecretInput.Failure.canceled {
            throw CommandError.passwordRefused(key)
        }
    }

    /// Asks twice for a new password on the terminal.
    ///
    /// - Throws: ``AtriumError`` with code `keyInvalid` if the two differ, `UsageError` without a terminal, or `refusal`.
    static func new(
        for name: FilePath, _ parsed: ParsedCommand, _ ask: Asking = SecretInput.line(prompt:),
        orCanceled refusal: @autoclosure () -> any Error
    ) throws -> String {
        do {
            let password = try ask("Password for \(printable(name)): ")
            guard !password.isEmpty else { throw AtriumError(.keyInvalid, name, reason: "passwordEmpty") }
            guard try ask("Repeat the password: ") == password else {
                throw AtriumError(.keyInvalid, name, reason: "passwordsDiffer")
            }
            return password
        } catch SecretInput.Failure.noTerminal {
            throw parsed.missing("--password-file <file>")
        } catch SecretInput.Failure.canceled {
            throw refusal()
        }
    }
}
