import HostSystem

/// Validates a seal that has been read or is about to be written.
struct SealRules {
    let problems: ManifestProblems

    /// Returns the seal, which is valid only if no problem was reported.
    ///
    /// - Returns: `nil` when an essential field is missing or invalid.
    func validate(_ draft: SealDraft) -> Seal? {
        if let format = draft.formatVersion, format != Seal.formatVersion {
            let remedy = format > Seal.formatVersion ? "it needs a newer host" : "the lowest is 1"
            problems.add("formatVersion", "\(format) is not supported; \(remedy)")
        }
        if let team = draft.team, !ManifestRules.isIdentifier(team) {
            problems.add("team", "\"\(team)\" is not a reverse-domain name such as com.example")
        }
        let signedAt = draft.signedAt.flatMap(UTCTime.seconds)
        if let text = draft.signedAt, signedAt == nil {
            problems.add("signedAt", "\"\(text)\" is not a UTC time such as 2026-11-21T12:00:00Z")
        }
        if draft.files.isEmpty, !problems.has("files") { problems.add("files", "there are none") }
        let files = draft.files.enumerated().compactMap { file($1, at: $0) }
        order(of: files)
        guard let team = draft.team, let signedAt else { return nil }
        return Seal(team: team, signedAt: signedAt, sorted: files)
    }

    private func file(_ draft: SealDraft.File, at index: Int) -> Seal.File? {
        let place = "files[\(index)]"
        if let path = draft.path, let flaw = Self.flaw(inPath: path) {
            problems.add("\(place).path", "\"\(path)\" \(flaw)")
        }
        if let digest = draft.sha256, !Self.isDigest(digest) {
            problems.add("\(place).sha256", "\"\(digest)\" is not 64 lowercase hexadecimal digits")
        }
        guard let path = draft.path, let size = draft.size, let sha256 = draft.sha256 else { return nil }
        return Seal.File(path: path, size: size, sha256: sha256, isExecutable: draft.executable ?? false)
    }

    private func order(of files: [Seal.File]) {
        for (file, next) in zip(files, files.dropFirst())
        where !file.path.utf8.lexicographicallyPrecedes(next.path.utf8) {
            let isTwice = file.path.utf8.elementsEqual(next.path.utf8)
            problems.add(
                "files",
                isTwice ? "\"\(file.path)\" is listed twice" : "\"\(next.path)\" must be listed before \"\(file.path)\""
            )
        }
    }

    /// The maximum length of a path in a bundle, in bytes: it leaves room below PATH_MAX for the path of the sandbox.
    static let pathLimit = 1024
    /// The maximum length of a file name in bytes, NAME_MAX.
    private static let nameLimit = 255

    /// Returns the reason why a path can't be sealed, if any, as a clause that follows the path.
    static func flaw(inPath path: String) -> String? {
        let bytes = path.utf8
        if bytes.isEmpty { return "is empty" }
        if bytes.count > pathLimit { return "is longer than \(pathLimit) bytes" }
        if bytes.first == UInt8(ascii: "/") { return "is absolute" }
        if bytes.contains(UInt8(ascii: "\\")) { return "contains a backslash" }
        if path.unicodeScalars.contains(where: { $0.value < 0x20 || 0x7F...0x9F ~= $0.value }) {
            return "contains a control character"
        }
        let components = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        for component in components {
            if component.isEmpty { return "contains an empty component" }
            if component.count > nameLimit { return "contains a name of more than \(nameLimit) bytes" }
            if component.elementsEqual(".".utf8) || component.elementsEqual("..".utf8) {
                return "contains \".\" or \"..\""
            }
        }
        if components.first?.elementsEqual(Seal.folder.utf8) == true {
            return "is in \(Seal.folder)/, which is not sealed"
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
