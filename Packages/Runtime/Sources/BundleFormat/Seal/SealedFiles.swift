import HostSystem
public import PluginCore

/// The comparison of a bundle's files with its seal: the set of files, their sizes, and their executable bits.
extension Seal {
    /// An item found in a package or a folder, with its path relative to the bundle, without a trailing slash.
    ///
    /// There is no item at a path that is too long, or whose name isn't UTF-8.
    typealias FoundItem = (path: String, item: FileSystem.Item?)

    /// Returns all differences, sorted by path, after the first sealed file that doesn't belong in a bundle.
    func findings(in found: [FoundItem]) -> [SealFinding] {
        let flaw = BundleShape.flaw(in: files.lazy.map(\.path))
        var findings = flaw.map { [SealFinding(.packageInvalid, nil, $0)] } ?? []
        let folders = Set(files.flatMap { Self.folders(of: $0.path) } + [Array(Seal.folder.utf8)])
        var present: Set<[UInt8]> = []
        for (path, item) in found {
            let bytes = Array(path.utf8)
            func add(_ reason: ErrorReason) { findings.append(SealFinding(.sealBroken, path, reason)) }
            switch item {
            case .folder: if !folders.contains(bytes) { add(ErrorReason("unsealedFolder")) }
            case .file(let size, let mode):
                let sealed = file(path)
                if let flaw = Self.flaw(in: mode, isExecutable: sealed?.isExecutable ?? false) { add(flaw) }
                if Self.isSignature(path) { continue }
                guard let sealed else {
                    add(ErrorReason("unsealed"))
                    continue
                }
                present.insert(bytes)
                if sealed.size != size {
                    add(ErrorReason("sizeDiffers", ["size": "\(size)", "sealed": "\(sealed.size)"]))
                }
            case .link, .other, nil:
                let isTooLong = bytes.count > Self.pathLimit
                add(ErrorReason(isTooLong ? "pathTooLongForBundle" : "neitherFileNorFolder"))
            }
        }
        findings += files.filter { !present.contains(Array($0.path.utf8)) }.map(Self.missing)
        return findings.sorted()
    }

    /// Returns the reason for which the permission bits of a file are wrong, if they are.
    ///
    /// Read and write permissions aren't sealed: they depend on the location of a bundle and on the umask at extraction.
    private static func flaw(in mode: UInt16, isExecutable: Bool) -> ErrorReason? {
        if mode & 0o7000 != 0 { return ErrorReason("modeNotAllowed") }
        if isExecutable { return mode & 0o100 == 0 ? ErrorReason("notExecutable") : nil }
        return mode & 0o111 == 0 ? nil : ErrorReason("executable")
    }

    private static func isSignature(_ path: String) -> Bool {
        [Seal.name, Seal.signatureName].contains { $0.utf8.elementsEqual(path.utf8) }
    }

    static func missing(_ file: Seal.File) -> SealFinding {
        SealFinding(.sealBroken, file.path, ErrorReason("sealedFileMissing"))
    }

    /// Returns the folders of a path as bytes, because strings treat two Unicode spellings of a name as equal.
    private static func folders(of path: String) -> [[UInt8]] {
        let bytes = Array(path.utf8)
        return bytes.indices.filter { bytes[$0] == UInt8(ascii: "/") }.map { Array(bytes[..<$0]) }
    }
}

/// A problem found in the verification of a bundle's seal.
public struct SealFinding: Hashable, Sendable {
    /// The code of the violated rule.
    public let code: AtriumError.Code
    /// The path of the affected file or folder in the bundle; `nil` for the bundle as a whole.
    public let path: String?
    /// The reason why the file or the bundle is not accepted.
    public let reason: ErrorReason

    package init(_ code: AtriumError.Code, _ path: String?, _ reason: ErrorReason) {
        self.code = code
        self.path = path
        self.reason = reason
    }

    package init(_ error: AtriumError) {
        self.init(error.code, nil, error.summary)
    }

    /// A Boolean value that indicates whether a file couldn't be read, which says nothing about the bundle.
    public var isUnread: Bool { Self.unreadCodes.contains(code) }

    /// The codes of files that couldn't be read.
    package static let unreadCodes: Set<AtriumError.Code> = [.inputOutput, .sandboxUnwritable]

    /// Returns one finding for each problem of an error, or one for the error itself.
    package static func all(in error: AtriumError) -> [Self] {
        guard !error.problems.isEmpty else { return [Self(error)] }
        return error.problems.map { problem in
            let reason = error.reason.map {
                ErrorReason("because", ["reason": .reason($0), "problem": .reason(problem)])
            }
            return Self(error.code, nil, reason ?? problem)
        }
    }

    /// The reason, with the path if there is one.
    public var problem: ErrorReason { path.map { .at($0, reason) } ?? reason }
}

extension [SealFinding] {
    /// Returns the error that lists all findings, with the code of the first.
    ///
    /// - Returns: `nil` when there are none.
    package func refusal(of subject: String) -> AtriumError? {
        guard let first else { return nil }
        if count == 1, first.path == nil { return AtriumError(first.code, subject, reason: first.reason) }
        // A hostile package can cause any number of them.
        let (listed, further) = (prefix(50).map(\.problem), count - 50)
        return AtriumError(first.code, subject, problems: further > 0 ? listed + [.more(further)] : listed)
    }

    /// Returns the findings sorted by path; those about the whole bundle come first.
    package func sorted() -> [SealFinding] {
        sorted { ($0.path ?? "").utf8.lexicographicallyPrecedes(($1.path ?? "").utf8) }
    }
}

extension AtriumError {
    /// The reason and the problems of the error without its subject; the name of its code if it has none.
    package var summary: ErrorReason { .all(of: reasons) ?? .verbatim(code.name) }
}
