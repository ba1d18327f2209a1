public import BundleFormat
public import Console
public import PluginCore
import PluginRuntime
internal import Signing

/// The facts in a package's seal that can be checked without reading the contents or knowing the signer.
public struct SealFacts: Sendable {
    /// The package, if its files are those that the seal lists.
    public let package: SealedPackage?
    /// The reason for which there are no facts; an error with code `unsigned` for a package without a seal.
    public let refusal: AtriumError?

    init(of path: FilePath, converters: [String]) {
        do throws(AtriumError) {
            package = try SealedPackage(opening: path, converters: .standard(registering: converters))
            refusal = nil
        } catch {
            package = nil
            refusal = error
        }
    }

    /// The signer and the time in one line, or the reason for which there are none.
    public var words: String {
        if let package {
            return "by \(package.seal.team) with key \(package.keyID) at \(package.seal.signedTime)"
        }
        guard let refusal, refusal.code != .unsigned else { return "no; \"bundletool sign\" signs it" }
        return "not valid: "
            + refusal.reasons.map(\.sentence).joined(separator: "; ")
    }

    /// The facts as JSON.
    ///
    /// The members are `{"team", "keyID", "signedAt", "sealedFiles", "sealSHA256", "code", "problems"}`; the last two explain why
    /// the others are null.
    public var json: JSONText {
        [
            "team": .string(orNull: package?.seal.team),
            "keyID": .string(orNull: package?.keyID.description),
            "signedAt": .string(orNull: package?.seal.signedTime),
            "sealedFiles": package.map { .integer($0.seal.files.count) } ?? .null,
            "sealSHA256": .string(orNull: package?.digest),
            "code": .string(orNull: refusal?.code.name),
            "problems": .strings((refusal?.reasons ?? []).map(\.sentence)),
        ]
    }
}

extension PackageInspection {
    /// The kind of the package, as `codesign` displays it.
    public var format: String {
        library == nil ? "zip with resources only" : "zip with an ELF library"
    }
}
