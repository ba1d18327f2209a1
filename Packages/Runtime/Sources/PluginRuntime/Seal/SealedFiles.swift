import PluginCore

/// Holds the files that are there against those that are sealed: no file more, none less, all sizes equal, and executable what
/// is sealed as that.
struct SealedFiles {
    /// Something that is there, in a package or in a folder.
    struct Found {
        /// Relative to the bundle, without a slash at the end.
        let path: String
        let kind: Kind
    }

    enum Kind {
        case file(size: UInt64, mode: UInt16)
        case folder
        /// What has no place in a bundle, in a clause.
        case other(String)
    }

    let seal: Seal

    /// All differences, by path.
    func findings(in found: [Found]) -> [SealFinding] {
        var findings: [SealFinding] = []
        let folders = Set(seal.files.flatMap { Self.folders(of: $0.path) } + [Array(Seal.folder.utf8)])
        var files: [(path: String, size: UInt64)] = []
        for item in found {
            switch item.kind {
            case .other(let what): findings.append(SealFinding(.sealBroken, item.path, what))
            case .folder where folders.contains(Array(item.path.utf8)): break
            case .folder: findings.append(SealFinding(.sealBroken, item.path, "it is a folder without a sealed file"))
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

    /// Two sorted lists, gone through side by side.
    private func compare(_ files: [(path: String, size: UInt64)], _ findings: inout [SealFinding]) {
        var sealed = seal.files[...]
        for file in files where !Self.isSignature(file.path) {
            while let next = sealed.first, Self.precedes(next.path, file.path) {
                findings.append(Self.missing(next))
                sealed.removeFirst()
            }
            guard let next = sealed.first, next.path.utf8.elementsEqual(file.path.utf8) else {
                findings.append(SealFinding(.sealBroken, file.path, "it is not sealed"))
                continue
            }
            if next.size != file.size {
                findings.append(
                    SealFinding(.sealBroken, file.path, "it has \(file.size) bytes where \(next.size) are sealed"))
            }
            sealed.removeFirst()
        }
        findings += sealed.map(Self.missing)
    }

    private static func isSignature(_ path: String) -> Bool {
        [Seal.name, Seal.signatureName].contains { $0.utf8.elementsEqual(path.utf8) }
    }

    static func missing(_ file: Seal.File) -> SealFinding {
        SealFinding(.sealBroken, file.path, "it is sealed and not there")
    }

    private static func precedes(_ one: String, _ other: String) -> Bool {
        one.utf8.lexicographicallyPrecedes(other.utf8)
    }

    /// All folders that a file is in, as bytes: `String` would take two spellings of a name for one.
    private static func folders(of path: String) -> [[UInt8]] {
        let bytes = Array(path.utf8)
        return bytes.indices.filter { bytes[$0] == UInt8(ascii: "/") }.map { Array(bytes[..<$0]) }
    }
}
