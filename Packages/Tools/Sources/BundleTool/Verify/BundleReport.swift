public import BundleFormat
public import Console
public import PluginCore
import PluginRuntime
internal import Signing

/// The result of verifying a bundle's seal, as text and as JSON.
public struct BundleReport: Sendable {
    /// The path of the package or folder as the user gave it.
    public let path: FilePath
    /// The report of the runtime, which is the same as in a host.
    public let seal: SealReport

    /// Verifies a package or a folder.
    ///
    /// - Parameters:
    ///   - verification: decides whether the signer is trusted.
    ///   - converters: the converters that its hosts register in addition to the standard ones.
    /// - Throws: ``PackError`` if the path doesn't exist or the folder does not contain a bundle.
    public init(of path: FilePath, by verification: SignatureVerification, converters: [String] = []) throws(PackError)
    {
        self.path = path
        switch Files.kind(of: path) {
        case .folder:
            guard ["manifest.json", Seal.name].contains(where: { Files.kind(of: path.appending($0)) != nil }) else {
                throw .noBundle(path)
            }
            do throws(AtriumError) {
                seal = try SealedFolder(path, registeredConverters: converters).report(by: verification)
            } catch {
                seal = SealReport(unread: error)
            }
        case .file: seal = SealReport(of: path, by: verification, registeredConverters: converters)
        case .other, nil:
            throw .notThere(path, .file, remedy: "specify a package, or the folder of an unpacked bundle")
        }
    }

    /// The exit status.
    ///
    /// It is 0 for a valid seal, or the status of the first finding: 77 for a rejected seal and 65 for a file that is not a bundle.
    public var exitStatus: ExitStatus { seal.refusal(of: path.string)?.exitStatus ?? .done }

    /// Renders the facts, the report and all findings.
    public func text(for terminal: Terminal) -> String {
        var facts = Table([.init(style: .dim), .init()])
        if let identity = seal.identity { facts.add(["bundle", identity.description]) }
        if let sealed = seal.seal { facts.add(["team", sealed.team]) }
        if let key = seal.keyID { facts.add(["key", key.description]) }
        if let sealed = seal.seal {
            facts.add(["signed", sealed.signedTime])
            facts.add(["sealed files", "\(sealed.files.count)"])
        }
        let report = seal.holds ? terminal.styled("verified", .green) : terminal.styled("refused", .red)
        let findings = seal.findings.map { "  - \(printable($0.problem.sentence))\n" }
        return facts.rendered(for: terminal) + "\(report)  \(printable(path.string))\n" + findings.joined()
    }

    /// The result as a JSON document; facts that could not be read are null.
    public var json: JSONText {
        [
            "path": .string(path.string),
            "verified": .bool(seal.holds),
            "identifier": .string(orNull: seal.identity?.identifier.text),
            "version": .string(orNull: seal.identity?.version.description),
            "team": .string(orNull: seal.seal?.team),
            "keyID": .string(orNull: seal.keyID?.description),
            "signedAt": .string(orNull: seal.seal?.signedTime),
            "sealedFiles": seal.seal.map { .integer($0.files.count) } ?? .null,
            "sealSHA256": .string(orNull: seal.digest),
            "code": .string(orNull: seal.findings.first?.code.name),
            "findings": .array(
                seal.findings.map {
                    [
                        "code": .string($0.code.name), "path": .string(orNull: $0.path),
                        "what": .string($0.reason.sentence),
                    ]
                }),
        ]
    }
}
