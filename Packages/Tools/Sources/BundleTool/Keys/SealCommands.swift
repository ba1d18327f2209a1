import Authoring
import BundleFormat
import Console
import ExtensionHost
import FoundationEssentials
import PluginCore
import Signing
import Trust

/// The `bundletool sign` command.
let signCommand = ProgramCommand(
    "sign", arguments: [.required("package.zip", kind: .package)],
    options: SigningOptions.declarations(.required) + [
        .value("output", short: "o", kind: .package), ConverterOption.declaration,
    ]
) { parsed, terminal in
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
            .value("key", short: "k", presence: presence, kind: .file(ending: ".key")),
            .value("team", short: "t", placeholder: "id", presence: presence),
            KeyPassword.option,
            .value("signed-at", placeholder: "time"),
        ]
    }

    /// Returns the requested signature; `nil` if no key is named. The key file is not read yet.
    static func request(in parsed: ParsedCommand) throws -> SigningRequest? {
        guard let key = parsed.file("key") else {
            for option in ["team", "password-file", "signed-at"] where parsed.value(option) != nil {
                throw parsed.missing("--key <file>", adding: "--key <file>", "--team <id>")
            }
            return nil
        }
        guard let team = parsed.value("team") else {
            throw parsed.missing("--team <id>", adding: "--key <file>", "--team <id>")
        }
        guard BundleIdentifier.isValid(team) else { throw parsed.invalid("--team", team) }
        let time = try time(
            of: parsed, epoch: ProcessInfo.processInfo.environment[epochVariable], now: Environment.now())
        return SigningRequest(
            key: key, passwordFile: parsed.file("password-file"), team: team, time: time)
    }

    /// Returns the signing time in seconds since 1970.
    static func time(of parsed: ParsedCommand, epoch: String?, now: Int64) throws -> Int64 {
        if let text = parsed.value("signed-at") {
            guard let time = Seal.time(text) else { throw parsed.invalid("--signed-at", text) }
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
        let text = try Self.text(of: path, remedy: "publicKey")
        return try Result { () throws(SigningError) in try VerifyingKey(text) }
            .mapError { AtriumError(.keyInvalid, path, reason: $0.reason) }.get()
    }

    /// Reads the text of a key file, which must be valid UTF-8.
    static func text(of path: FilePath, remedy: String) throws -> String {
        let bytes = try Files.bytes(of: path, limit: keyLimit, remedy: remedy)
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        throw AtriumError(.keyInvalid, path, reason: "notUTF8")
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
    func sealer(ask: KeyPassword.Asking = SecretInput.line(prompt:)) throws -> Sealer {
        let text = try SigningOptions.text(of: key, remedy: "secretKey")
        if (try? VerifyingKey(text)) != nil {
            throw CommandError(.badInput, key, code: "keyInvalid", reason: "keyIsPublic")
        }
        func opened(_ password: String?) throws -> SigningKey {
            do {
                return try SigningKey(text: text, password: password)
            } catch {
                switch error.code {
                case .passwordNeeded: return try opened(KeyPassword.existing(of: key, ask))
                case .passwordWrong:
                    throw CommandError(.refused, key, code: "passwordWrong", reason: "passwordDiffers")
                default: throw AtriumError(.keyInvalid, key, reason: error.reason)
                }
            }
        }
        let password = try passwordFile.map { try KeyPassword.first(lineOf: $0) }
        return Sealer(key: try opened(password), team: team, signedAt: time)
    }
}

/// The `bundletool verify` command.
let verifyCommand = ProgramCommand(
    "verify", arguments: [.required("bundle", kind: .either([.folder, .package]))],
    options: [
        .value("key", short: "k", presence: .oneOf("signer"), kind: .publicKey),
        .value("trust", presence: .oneOf("signer"), kind: .json),
        ConverterOption.declaration,
    ]
) { parsed, terminal in
    let path = parsed.file(argument: "bundle")
    let seal = try report(
        on: path, by: verification(in: parsed).checking(ExtensionRules().require),
        converters: ConverterOption.names(in: parsed))
    let facts = [("bundle", seal.identity?.description)] + SealFacts.facts(seal.seal, seal.keyID)
    let table = Table(facts: facts).rendered(for: terminal)
    let verdict = seal.holds ? terminal.styled("verified", .green) : terminal.styled("refused", .red)
    let findings = seal.findings.map { "  - \(printable($0.problem.sentence))\n" }
    // The status of the first finding is 77 for a rejected seal, and 65 for a file that is not a bundle.
    return Answer(
        text: table + "\(verdict)  \(printable(path))\n" + findings.joined(), json: json(of: seal, at: path),
        status: seal.refusal(of: path.string)?.exitStatus ?? .done)
}

private func verification(in parsed: ParsedCommand) throws -> SignatureVerification {
    if let key = parsed.file("key") { return .key(try SigningOptions.publicKey(key)) }
    let file = parsed.file("trust") ?? ""
    let bytes = try Files.bytes(of: file, limit: TrustStore.sizeLimit, remedy: "trust")
    return .trust(try TrustStore(reading: bytes, named: file.string), .install, at: Environment.now())
}

/// Verifies a package or a folder as the runtime does in a host.
///
/// - Throws: ``CommandError`` if the path doesn't exist or the folder does not contain a bundle.
private func report(
    on path: FilePath, by verification: SignatureVerification, converters: [String]
) throws(CommandError) -> SealReport {
    switch Files.kind(of: path) {
    case .folder:
        guard ["manifest.json", Seal.name].contains(where: { path.appending($0).exists }) else {
            throw CommandError(.badInput, path, reason: "bundleMissing")
        }
        do {
            return try SealedFolder(path, converters: .standard(registering: converters)).report(by: verification)
        } catch {
            return SealReport(unread: error)
        }
    case .file: return SealReport(of: path, by: verification, converters: .standard(registering: converters))
    case .other, nil: throw .notThere(path, remedy: "verify")
    }
}

/// Returns the result; facts that could not be read are null.
private func json(of seal: SealReport, at path: FilePath) -> JSONText {
    let findings = seal.findings.map {
        JSONText(["code": $0.code.name, "path": $0.path, "what": $0.reason.sentence])
    }
    let head = JSONText([
        "path": path, "verified": seal.holds, "identifier": seal.identity?.identifier,
        "version": seal.identity?.version,
    ])
    return head + SealFacts.json(seal.seal, seal.keyID, seal.digest, code: seal.findings.first?.code)
        + ["findings": findings]
}
