import Authoring
import BundleFormat
import Console
import ExtensionHost
import PluginCore
import Trust

/// The `bundletool verify` command.
enum VerifyCommand: ProgramCommand {
    static let declaration = Command(
        "verify", arguments: [.required("bundle", kind: .either([.folder, .file(ending: ".zip")]))],
        options: [
            .value("key", short: "k", placeholder: "file", presence: .oneOf("signer"), kind: .file(ending: ".pub")),
            .value("trust", placeholder: "file", presence: .oneOf("signer"), kind: .file(ending: ".json")),
            ConverterOption.declaration,
        ])

    static func run(_ parsed: ParsedCommand, on terminal: Terminal) throws -> Answer {
        let path = parsed.file(argument: "bundle")
        let seal = try report(
            on: path, by: try verification(in: parsed).checking(ExtensionRules().require),
            converters: try ConverterOption.names(in: parsed))
        let facts = [("bundle", seal.identity?.description)] + SealFacts.facts(seal.seal, seal.keyID)
        let table = Table(facts: facts).rendered(for: terminal)
        let verdict = seal.holds ? terminal.styled("verified", .green) : terminal.styled("refused", .red)
        let findings = seal.findings.map { "  - \(printable($0.problem.sentence))\n" }
        // The status of the first finding is 77 for a rejected seal, and 65 for a file that is not a bundle.
        return Answer(
            text: table + "\(verdict)  \(printable(path.string))\n" + findings.joined(), json: json(of: seal, at: path),
            status: seal.refusal(of: path.string)?.exitStatus ?? .done)
    }

    private static func verification(in parsed: ParsedCommand) throws -> SignatureVerification {
        if let key = parsed.value("key") { return .key(try SigningOptions.publicKey(FilePath(key))) }
        let file = parsed.value("trust") ?? ""
        let bytes = try Files.bytes(
            of: FilePath(file), limit: TrustStore.sizeLimit, remedy: "specify the file of a trust store")
        return .trust(try TrustStore(reading: bytes, named: file), .install, at: Environment.now())
    }

    /// Verifies a package or a folder as the runtime does in a host.
    ///
    /// - Throws: ``CommandError`` if the path doesn't exist or the folder does not contain a bundle.
    private static func report(
        on path: FilePath, by verification: SignatureVerification, converters: [String]
    ) throws(CommandError) -> SealReport {
        switch Files.kind(of: path) {
        case .folder:
            guard ["manifest.json", Seal.name].contains(where: { Files.kind(of: path.appending($0)) != nil }) else {
                throw CommandError(.badInput, path, reason: "bundleMissing")
            }
            do throws(AtriumError) {
                return try SealedFolder(path, converters: .standard(registering: converters)).report(by: verification)
            } catch {
                return SealReport(unread: error)
            }
        case .file: return SealReport(of: path, by: verification, converters: .standard(registering: converters))
        case .other, nil:
            throw .notThere(path, remedy: "specify a package, or the folder of an unpacked bundle")
        }
    }

    /// Returns the result; facts that could not be read are null.
    private static func json(of seal: SealReport, at path: FilePath) -> JSONText {
        let findings = seal.findings.map {
            JSONText(["code": $0.code.name, "path": $0.path, "what": $0.reason.sentence])
        }
        let head = JSONText([
            "path": path, "verified": seal.holds, "identifier": seal.identity?.identifier,
            "version": seal.identity?.version,
        ])
        return head + SealFacts.json(seal.seal, seal.keyID, seal.digest, code: seal.findings.first?.code)
            + JSONText(["findings": findings])
    }
}
