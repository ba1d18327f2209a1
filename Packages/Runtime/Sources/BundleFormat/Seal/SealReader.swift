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
        func refusal(_ found: [ErrorReason]) -> AtriumError {
            AtriumError(
                .sealBroken, subject, reason: "sealInvalid", ["name": .text(Seal.name)],
                problems: found)
        }
        guard bytes.count <= Self.sizeLimit else {
            throw refusal([.tooLarge(bytes.count, limit: Self.sizeLimit)])
        }
        let written: WrittenSeal
        do {
            // Counted before decoding, because the decoder allocates memory for each value, and no signature has been verified yet.
            written = try StrictJSON.decode(WrittenSeal.self, from: bytes, values: Self.valueLimit)
        } catch let error as JSONError {
            throw refusal([.verbatim(error.description)])
        } catch let error as OtherFormat {
            throw refusal([.at("formatVersion", .format(error.format, newest: Self.formatVersion))])
        } catch {
            throw refusal([ErrorReason("notSeal")])
        }
        let limit = SealedPackage.entryLimit
        guard written.files.count <= limit else {
            throw refusal([.at("files", ErrorReason("tooManyElements", ["limit": .integer(limit)]))])
        }
        let seconds = UTCTime.seconds(written.signedAt)
        self.init(team: written.team, signedAt: seconds ?? 0, sorted: written.files.map(\.file))
        let problems = flaws()
        if seconds == nil { problems.add("signedAt", "notUTCTime", ["text": .text(written.signedAt)]) }
        if !problems.all.isEmpty { throw refusal(problems.all) }
        if encoded() != bytes { throw refusal([ErrorReason("sealNotCanonical")]) }
    }

    /// Creates a seal to be signed.
    ///
    /// - Parameters:
    ///   - files: the files in any order.
    ///   - subject: the sealed bundle.
    /// - Throws: ``AtriumError`` with code `sealBroken` for files that cannot be sealed, each with the reason.
    public init(team: String, signedAt: Int64, files: [File], of subject: String) throws(AtriumError) {
        let sorted = files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        self.init(team: team, signedAt: signedAt, sorted: sorted)
        let problems = flaws().all
        if !problems.isEmpty { throw AtriumError(.sealBroken, subject, problems: problems) }
    }
}

/// A seal as its file contains it. A program writes it, so one that lacks a field is reported as a whole.
private struct WrittenSeal: Decodable {
    /// The only format, which is read first, because the other fields of another one may differ.
    struct Format: Decodable {
        init(from decoder: any Decoder) throws {
            let format = try decoder.singleValueContainer().decode(Int.self)
            if format != Seal.formatVersion { throw OtherFormat(format: format) }
        }
    }

    struct File: Decodable {
        let path: String
        let size: UInt64
        let sha256: String
        let executable: Bool?

        var file: Seal.File {
            Seal.File(path: path, size: size, sha256: sha256, isExecutable: executable ?? false)
        }
    }

    let formatVersion: Format
    let team: String
    let signedAt: String
    let files: [File]
}

private struct OtherFormat: Error {
    let format: Int
}

/// The rules that hold across the fields of a seal.
extension Seal {
    private func flaws() -> ManifestProblems {
        let problems = ManifestProblems()
        if !BundleIdentifier.isValid(team) { problems.add("team", "notTeamName", ["text": .text(team)]) }
        if files.isEmpty { problems.add("files", "none") }
        for (index, file) in files.enumerated() {
            if let flaw = Self.flaw(inPath: file.path) {
                problems.add("files[\(index)].path", "pathFlaw", ["path": .text(file.path), "flaw": .reason(flaw)])
            }
            if !ContentDigest.isValid(file.sha256) {
                problems.add("files[\(index)].sha256", "notDigest", ["text": .text(file.sha256)])
            }
        }
        for (file, next) in zip(files, files.dropFirst())
        where !file.path.utf8.lexicographicallyPrecedes(next.path.utf8) {
            let isTwice = file.path.utf8.elementsEqual(next.path.utf8)
            problems.add(
                "files", isTwice ? "fileTwice" : "fileOrder", ["file": .text(file.path), "next": .text(next.path)])
        }
        return problems
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
}
