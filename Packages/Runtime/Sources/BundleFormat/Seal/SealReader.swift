import FoundationEssentials
import HostSystem
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

/// Validates a seal that has been read or is about to be written.
struct SealRules {
    let problems: ManifestProblems

    /// Returns the seal, which is valid only if no problem was reported.
    ///
    /// - Returns: `nil` when an essential field is missing or invalid.
    func validate(_ draft: SealDraft) -> Seal? {
        if let format = draft.formatVersion, format != Seal.formatVersion {
            problems.add("formatVersion", .format(format, newest: Seal.formatVersion))
        }
        if let team = draft.team, !BundleIdentifier.isValid(team) {
            problems.add("team", "notTeamName", ["text": .text(team)])
        }
        let signedAt = draft.signedAt.flatMap(UTCTime.seconds)
        if let text = draft.signedAt, signedAt == nil {
            problems.add("signedAt", "notUTCTime", ["text": .text(text)])
        }
        if draft.files.isEmpty, !problems.has("files") { problems.add("files", "none") }
        let files = draft.files.enumerated().compactMap { file($1, at: $0) }
        order(of: files)
        guard let team = draft.team, let signedAt else { return nil }
        return Seal(team: team, signedAt: signedAt, sorted: files)
    }

    private func file(_ draft: SealDraft.File, at index: Int) -> Seal.File? {
        let place = "files[\(index)]"
        if let path = draft.path, let flaw = Self.flaw(inPath: path) {
            problems.add("\(place).path", "pathFlaw", ["path": .text(path), "flaw": .reason(flaw)])
        }
        if let digest = draft.sha256, !Self.isDigest(digest) {
            problems.add("\(place).sha256", "notDigest", ["text": .text(digest)])
        }
        guard let path = draft.path, let size = draft.size, let sha256 = draft.sha256 else { return nil }
        return Seal.File(path: path, size: size, sha256: sha256, isExecutable: draft.executable ?? false)
    }

    private func order(of files: [Seal.File]) {
        for index in files.indices.dropFirst() {
            let (file, next) = (files[index - 1], files[index])
            if file.path.utf8.lexicographicallyPrecedes(next.path.utf8) { continue }
            let isTwice = file.path.utf8.elementsEqual(next.path.utf8)
            problems.add(
                "files", isTwice ? "fileTwice" : "fileOrder", ["file": .text(file.path), "next": .text(next.path)])
        }
    }

    /// The maximum length of a path in a bundle, in bytes: it leaves room below PATH_MAX for the path of the sandbox.
    static let pathLimit = 1024
    /// The maximum length of a file name in bytes, NAME_MAX.
    private static let nameLimit = 255

    /// Returns the reason why a path can't be sealed, if any, as a clause that follows the path.
    static func flaw(inPath path: String) -> ErrorReason? {
        let bytes = path.utf8
        if bytes.isEmpty { return ErrorReason("pathEmpty") }
        if bytes.count > pathLimit { return ErrorReason("pathTooLong", ["limit": .integer(pathLimit)]) }
        if bytes.first == UInt8(ascii: "/") { return ErrorReason("pathAbsolute") }
        if bytes.contains(UInt8(ascii: "\\")) { return ErrorReason("pathBackslash") }
        if path.unicodeScalars.contains(where: { $0.value < 0x20 || 0x7F...0x9F ~= $0.value }) {
            return ErrorReason("pathControlCharacter")
        }
        let components = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        for component in components {
            if component.isEmpty { return ErrorReason("pathEmptyComponent") }
            if component.count > nameLimit { return ErrorReason("pathNameTooLong", ["limit": .integer(nameLimit)]) }
            if component.elementsEqual(".".utf8) || component.elementsEqual("..".utf8) {
                return ErrorReason("pathDots")
            }
        }
        if components.first?.elementsEqual(Seal.folder.utf8) == true {
            return ErrorReason("pathOfSignature", ["folder": .text(Seal.folder)])
        }
        return nil
    }

    static func isDigest(_ text: String) -> Bool {
        text.utf8.count == 64
            && text.utf8.allSatisfy {
                UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0
            }
    }
}
