import Authoring
import BundleFormat
import Console
import ExtensionHost
import FoundationEssentials
import PluginCore
import Signing
import Trust

/// The `bundletool sign` command.
enum SignCommand: ProgramCommand {
    static let declaration = Command(
        "sign", arguments: [.required("package.zip", kind: .file(ending: ".zip"))],
        options: SigningOptions.declarations(.required) + [
            .value("output", short: "o", placeholder: "file", kind: .file(ending: ".zip")), ConverterOption.declaration,
        ])

    static func run(_ parsed: ParsedCommand, on terminal: Terminal) throws -> Answer {
        let request = try SigningOptions.request(in: parsed)
        let converters = try ConverterOption.names(in: parsed)
        let package = parsed.file(argument: "package.zip")
        try Files.packages([package])
        let output = parsed.file("output") ?? package
        try Files.requireRoom(forFile: output)
        try request?.sealer().sign(package: package, to: output, registeredConverters: converters) {
            manifest, team throws(AtriumError) in
            try AppGroupOwnership.requireOwn(in: manifest, team: team)
            try ExtensionRules().require(manifest, of: package.lastComponent)
        }
        let inspection = try PackageInspection(of: output, converters: converters)
        return Answer(text: inspection.summary(for: terminal), json: inspection.json)
    }
}

/// The options that say with which key and for which team a package is signed.
enum SigningOptions {
    /// The environment variable for the time of reproducible builds: https://reproducible-builds.org/specs/source-date-epoch/
    static let epochVariable = "SOURCE_DATE_EPOCH"

    private static let keyLimit = 1 << 16

    /// Declares the options.
    ///
    /// - Parameter presence: whether a key and a team are required, or a package may stay unsigned.
    static func declarations(_ presence: Command.Option.Presence) -> [Command.Option] {
        [
            .value("key", short: "k", placeholder: "file", presence: presence, kind: .file(ending: ".key")),
            .value("team", short: "t", placeholder: "id", presence: presence),
            KeyPassword.option,
            .value("signed-at", placeholder: "time"),
        ]
    }

    /// Returns the requested signature; `nil` if no key is named. The key file is not read yet.
    static func request(in parsed: ParsedCommand) throws(UsageError) -> SigningRequest? {
        guard let path = parsed.value("key") else {
            for option in ["team", "password-file", "signed-at"] where parsed.value(option) != nil {
                throw parsed.missing("--key <file>", adding: "--key <file>", "--team <id>")
            }
            return nil
        }
        guard let team = parsed.value("team") else {
            throw parsed.missing("--team <id>", adding: "--key <file>", "--team <id>")
        }
        guard BundleIdentifier.isValid(team) else {
            throw parsed.invalid("--team", team, ["a reverse-domain name such as com.example"])
        }
        let time = try time(
            of: parsed, epoch: ProcessInfo.processInfo.environment[epochVariable], now: Environment.now())
        return SigningRequest(
            key: FilePath(path), passwordFile: parsed.file("password-file"), team: team,
            time: time)
    }

    /// Returns the signing time in seconds since 1970.
    static func time(of parsed: ParsedCommand, epoch: String?, now: Int64) throws(UsageError) -> Int64 {
        if let text = parsed.value("signed-at") {
            guard let time = Seal.time(text) else {
                throw parsed.invalid("--signed-at", text, ["a time in UTC such as 2026-11-21T12:00:00Z"])
            }
            return time
        }
        guard let epoch, !epoch.isEmpty else { return now }
        guard let time = Int64(epoch), time >= 0 else {
            throw parsed.invalid(epochVariable, epoch, ["seconds since 1970"])
        }
        return time
    }

    /// Reads a public key from its file.
    static func publicKey(_ path: FilePath) throws -> VerifyingKey {
        let text = try Self.text(
            of: path, remedy: "specify the file of a public key; \"bundletool keygen\" creates one")
        do throws(SigningError) {
            return try VerifyingKey(text)
        } catch {
            throw AtriumError(.keyInvalid, path.string, reason: error.reason)
        }
    }

    /// Reads the text of a key file, which must be valid UTF-8.
    static func text(of path: FilePath, remedy: String) throws -> String {
        let bytes = try Files.bytes(of: path, limit: keyLimit, remedy: remedy)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw AtriumError(.keyInvalid, path.string, reason: "notUTF8")
        }
        return text
    }
}

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
    /// - Throws: ``CommandError``, `AtriumError` with code `keyInvalid`.
    func sealer(ask: KeyPassword.Asking = KeyPassword.onTerminal) throws -> Sealer {
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
        func opened(_ password: String?) throws -> SigningKey {
            do throws(SigningError) {
                return try SigningKey(text: text, password: password)
            } catch {
                switch error.code {
                case .passwordNeeded: return try opened(KeyPassword.existing(of: key, ask))
                case .passwordWrong:
                    throw CommandError(.refused, key, code: "passwordWrong", reason: "passwordDiffers")
                default: throw AtriumError(.keyInvalid, key.string, reason: error.reason)
                }
            }
        }
        let password = try passwordFile.map { try KeyPassword.first(lineOf: $0) }
        return Sealer(key: try opened(password), team: team, signedAt: time)
    }
}
