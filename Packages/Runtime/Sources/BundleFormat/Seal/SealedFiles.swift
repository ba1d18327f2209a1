import HostSystem
public import PluginCore

/// Compares the files of a bundle with its seal: the set of files, their sizes, and their executable bits.
package struct SealedFiles {
    /// An item found in a package or a folder.
    package struct Found {
        /// The path relative to the bundle, without a trailing slash.
        let path: String
        let kind: Kind

        /// The path of a file; `nil` for anything else.
        package var file: String? {
            if case .file = kind { path } else { nil }
        }
    }

    enum Kind {
        case file(size: UInt64, mode: UInt16)
        case folder
        /// Anything that isn't allowed in a bundle, with the reason.
        case other(ErrorReason)
    }

    package let seal: Seal

    package init(seal: Seal) {
        self.seal = seal
    }

    /// Returns all differences, sorted by path.
    package func findings(in found: [Found]) -> [SealFinding] {
        var findings: [SealFinding] = []
        let folders = Set(seal.files.flatMap { Self.folders(of: $0.path) } + [Array(Seal.folder.utf8)])
        var files: [(path: String, size: UInt64)] = []
        for item in found {
            switch item.kind {
            case .other(let reason): findings.append(SealFinding(.sealBroken, item.path, reason))
            case .folder where folders.contains(Array(item.path.utf8)): break
            case .folder: findings.append(SealFinding(.sealBroken, item.path, ErrorReason("unsealedFolder")))
            case .file(let size, let mode):
                files.append((item.path, size))
                let isExecutable = seal.file(item.path)?.isExecutable ?? false
                if let flaw = SealedMode.flaw(in: mode, isExecutable: isExecutable) {
                    findings.append(SealFinding(.sealBroken, item.path, flaw))
                }
            }
        }
        compare(files.sorted { Self.precedes($0.path, $1.path) }, &findings)
        return findings.sorted()
    }

    /// Compares two sorted lists in one pass.
    private func compare(_ files: [(path: String, size: UInt64)], _ findings: inout [SealFinding]) {
        var sealed = seal.files[...]
        for file in files where !Self.isSignature(file.path) {
            while let next = sealed.first, Self.precedes(next.path, file.path) {
                findings.append(Self.missing(next))
                sealed.removeFirst()
            }
            guard let next = sealed.first, next.path.utf8.elementsEqual(file.path.utf8) else {
                findings.append(SealFinding(.sealBroken, file.path, ErrorReason("unsealed")))
                continue
            }
            if next.size != file.size {
                findings.append(
                    SealFinding(
                        .sealBroken, file.path,
                        ErrorReason(
                            "sizeDiffers", ["size": "\(file.size)", "sealed": "\(next.size)"])))
            }
            sealed.removeFirst()
        }
        findings += sealed.map(Self.missing)
    }

    private static func isSignature(_ path: String) -> Bool {
        [Seal.name, Seal.signatureName].contains { $0.utf8.elementsEqual(path.utf8) }
    }

    static func missing(_ file: Seal.File) -> SealFinding {
        SealFinding(.sealBroken, file.path, ErrorReason("sealedFileMissing"))
    }

    private static func precedes(_ one: String, _ other: String) -> Bool {
        one.utf8.lexicographicallyPrecedes(other.utf8)
    }

    /// Returns the folders of a path as bytes, because strings treat two Unicode spellings of a name as equal.
    private static func folders(of path: String) -> [[UInt8]] {
        let bytes = Array(path.utf8)
        return bytes.indices.filter { bytes[$0] == UInt8(ascii: "/") }.map { Array(bytes[..<$0]) }
    }
}

/// Compares the permission bits of a file with its seal.
///
/// Read and write permissions aren't sealed: they depend on the location of a bundle and on the umask at extraction.
enum SealedMode {
    /// Returns the reason for which a mode is wrong, if it is.
    static func flaw(in mode: UInt16, isExecutable: Bool) -> ErrorReason? {
        if mode & 0o7000 != 0 { return ErrorReason("modeNotAllowed") }
        if isExecutable { return mode & 0o100 == 0 ? ErrorReason("notExecutable") : nil }
        return mode & 0o111 == 0 ? nil : ErrorReason("executable")
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

    package init(_ code: AtriumError.Code, _ path: String? = nil, _ reason: ErrorReason) {
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
    package static func all(in error: AtriumError) -> [SealFinding] {
        guard !error.problems.isEmpty else { return [SealFinding(error)] }
        return error.problems.map { problem in
            let reason = error.reason.map {
                ErrorReason("because", ["reason": .reason($0), "problem": .reason(problem)])
            }
            return SealFinding(error.code, nil, reason ?? problem)
        }
    }

    /// The reason, with the path if there is one.
    public var problem: ErrorReason { path.map { .at($0, reason) } ?? reason }

    /// Shortens a list of problems, because a hostile package can cause any number of them.
    static func shortened(_ problems: [ErrorReason]) -> [ErrorReason] {
        let most = 50
        return problems.count <= most ? problems : problems.prefix(most) + [.more(problems.count - most)]
    }
}

extension [SealFinding] {
    /// Returns the error that lists all findings, with the code of the first.
    ///
    /// - Returns: `nil` when there are none.
    package func refusal(of subject: String) -> AtriumError? {
        guard let first else { return nil }
        if count == 1, first.path == nil { return AtriumError(first.code, subject, reason: first.reason) }
        return AtriumError(first.code, subject, problems: SealFinding.shortened(map(\.problem)))
    }
}

extension [SealFinding] {
    /// Returns the findings sorted by path; those about the whole bundle come first.
    package func sorted() -> [SealFinding] {
        sorted { ($0.path ?? "").utf8.lexicographicallyPrecedes(($1.path ?? "").utf8) }
    }
}

extension AtriumError {
    /// The reason and the problems of the error without its subject; the name of its code if it has none.
    package var summary: ErrorReason { .all(of: reasons) ?? .verbatim(code.name) }
}
