import PluginCore

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
