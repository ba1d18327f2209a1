public import Console
public import PluginCore
public import PluginRuntime
internal import Signing

/// What is to be said of a bundle's seal, in words and for scripts.
public struct BundleVerdict: Sendable {
    /// The package or folder, as it was named.
    public let path: FilePath
    /// The verdict of the runtime, which is the one that a host gives.
    public let seal: SealVerdict

    /// Judges a package or a folder.
    ///
    /// - Parameters:
    ///   - authority: who decides about the signer.
    ///   - converters: the names that the hosts it is for register beside the standard ones.
    /// - Throws: ``PackError`` when there is neither, or nothing of a bundle in the folder.
    public init(of path: FilePath, by authority: SealAuthority, converters: [String] = []) throws(PackError) {
        self.path = path
        switch Files.kind(of: path) {
        case .folder:
            guard ["manifest.json", Seal.name].contains(where: { Files.kind(of: path.appending($0)) != nil }) else {
                throw .noBundle(path)
            }
            do throws(AtriumError) {
                seal = try SealedFolder(path, registeredConverters: converters).verdict(by: authority)
            } catch {
                seal = SealVerdict(unread: error)
            }
        case .file: seal = SealVerdict(of: path, by: authority, registeredConverters: converters)
        case .other, nil:
            throw .notThere(path, .file, remedy: "name a package, or the folder of an unpacked bundle")
        }
    }

    /// 0, or what the first finding's code ends a program with: 77 for what is refused, 65 for what is no bundle.
    public var exitStatus: ExitStatus { seal.refusal(of: path.string)?.exitStatus ?? .done }

    /// The facts, then the verdict, then every finding.
    public func text(for terminal: Terminal) -> String {
        var facts = Table([.init(style: .dim), .init()])
        if let identity = seal.identity { facts.add(["bundle", identity.description]) }
        if let sealed = seal.seal { facts.add(["team", sealed.team]) }
        if let key = seal.keyID { facts.add(["key", key.description]) }
        if let sealed = seal.seal {
            facts.add(["signed", sealed.signedTime])
            facts.add(["sealed files", "\(sealed.files.count)"])
        }
        let verdict = seal.holds ? terminal.styled("verified", .green) : terminal.styled("refused", .red)
        let findings = seal.findings.map { "  - \(printable($0.sentence))\n" }
        return facts.rendered(for: terminal) + "\(verdict)  \(printable(path.string))\n" + findings.joined()
    }

    /// The same as one document. What could not be read is null.
    public var json: JSONText {
        [
            "path": .string(path.string),
            "verified": .bool(seal.holds),
            "identifier": .string(orNull: seal.identity?.identifier),
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
                        "code": .string($0.code.name), "path": .string(orNull: $0.path), "what": .string($0.what),
                    ]
                }),
        ]
    }
}
