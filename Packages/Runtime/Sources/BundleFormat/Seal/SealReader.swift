import HostSystem
internal import FoundationEssentials
public import PluginCore

extension Seal {
    /// The maximum number of JSON values in a seal, enough for the largest number of files in a package.
    private static let valueLimit = 8 * SealedPackage.entryLimit

    /// Reads a seal, and rejects any encoding but the canonical one, so that no two readers can interpret it differently.
    ///
    /// - Parameter subject: the bundle whose seal it is.
    /// - Throws: ``AtriumError`` with code `sealBroken` and every problem, each with its place in the seal.
    public init(reading bytes: [UInt8], of subject: String) throws(AtriumError) {
        let problems = ManifestProblems()
        func refusal(_ found: [ErrorReason]) -> AtriumError {
            AtriumError(
                .sealBroken, subject, reason: "sealInvalid", ["name": .text(Seal.name)],
                problems: found)
        }
        guard bytes.count <= Self.sizeLimit else {
            throw refusal([.tooLarge(bytes.count, limit: Self.sizeLimit)])
        }
        // Counted before decoding, because the decoder allocates memory for each value, and no signature has been verified yet.
        let draft: SealDraft
        do {
            draft = try StrictJSON.decode(
                SealDraft.self, from: bytes, values: Self.valueLimit, userInfo: problems.userInfo)
        } catch let error as JSONError {
            throw refusal([.verbatim(error.description)])
        } catch {
            throw refusal([ErrorReason("notSeal")])
        }
        guard let seal = SealRules(problems: problems).validate(draft), problems.all.isEmpty else {
            throw refusal(problems.all)
        }
        guard seal.encoded() == bytes else {
            throw refusal([ErrorReason("sealNotCanonical")])
        }
        self = seal
    }

    /// Creates a seal to be signed.
    ///
    /// - Parameters:
    ///   - files: the files in any order.
    ///   - subject: the sealed bundle.
    /// - Throws: ``AtriumError`` with code `sealBroken` for files that cannot be sealed, each with the reason.
    public init(team: String, signedAt: Int64, files: [File], of subject: String) throws(AtriumError) {
        let problems = ManifestProblems()
        let sorted = files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        let draft = SealDraft(
            team: team, signedAt: UTCTime.text(signedAt),
            files: sorted.map { SealDraft.File($0) })
        guard let seal = SealRules(problems: problems).validate(draft), problems.all.isEmpty else {
            throw AtriumError(.sealBroken, subject, problems: problems.all)
        }
        self = seal
    }
}

/// A seal as decoded from its file, before validation.
struct SealDraft: Decodable {
    struct File: Decodable {
        var path: String?
        var size: UInt64?
        var sha256: String?

        var executable: Bool?

        init(_ file: Seal.File) {
            path = file.path
            size = file.size
            sha256 = file.sha256
            executable = file.isExecutable
        }

        init(from decoder: any Decoder) throws {
            var fields = try ManifestFields(decoder)
            path = fields.required("path")
            size = fields.required("size")
            sha256 = fields.required("sha256")
            executable = fields.optional("executable")
            fields.reportUnknown()
        }
    }

    var formatVersion: Int? = Seal.formatVersion
    var team: String?
    var signedAt: String?
    var files: [File]

    init(team: String, signedAt: String, files: [File]) {
        self.team = team
        self.signedAt = signedAt
        self.files = files
    }

    init(from decoder: any Decoder) throws {
        var fields = try ManifestFields(decoder)
        formatVersion = fields.required("formatVersion")
        team = fields.required("team")
        signedAt = fields.required("signedAt")
        files = fields.requiredList(
            "files", of: "sealFileExpected", limit: SealedPackage.entryLimit)
        fields.reportUnknown()
    }
}
