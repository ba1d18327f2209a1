public import Console
public import PluginCore
public import PluginRuntime
internal import Signing

/// What a package's seal says, as far as it can be believed without reading the contents or knowing the signer.
public struct SealFacts: Sendable {
    /// The package, when its files are those that its seal lists.
    public let package: SealedPackage?
    /// Why there is nothing to be said; an error with code `unsigned` for a package without a seal.
    public let refusal: AtriumError?

    init(of path: FilePath, converters: [String]) {
        do throws(AtriumError) {
            package = try SealedPackage(opening: path, registeredConverters: converters)
            refusal = nil
        } catch {
            package = nil
            refusal = error
        }
    }

    /// Who signed and when, in a line; or why nobody did.
    public var words: String {
        if let package {
            return "by \(package.seal.team) with key \(package.keyID) at \(package.seal.signedTime)"
        }
        guard let refusal, refusal.code != .unsigned else { return "no; \"bundletool sign\" does it" }
        return "no host accepts how: "
            + ([refusal.detail] + refusal.problems).filter { !$0.isEmpty }.joined(separator: "; ")
    }

    /// `{"team", "keyID", "signedAt", "sealedFiles", "sealSHA256", "code", "problems"}`; the last two say why the others are null.
    public var json: JSONText {
        [
            "team": .string(orNull: package?.seal.team),
            "keyID": .string(orNull: package?.keyID.description),
            "signedAt": .string(orNull: package?.seal.signedTime),
            "sealedFiles": package.map { .integer($0.seal.files.count) } ?? .null,
            "sealSHA256": .string(orNull: package?.digest),
            "code": .string(orNull: refusal?.code.name),
            "problems": .strings(refusal.map { ([$0.detail] + $0.problems).filter { !$0.isEmpty } } ?? []),
        ]
    }
}

extension PackageInspection {
    /// What sort of thing it is, as `codesign` has it.
    public var format: String {
        library == nil ? "zip with resources only" : "zip with an ELF library"
    }
}
