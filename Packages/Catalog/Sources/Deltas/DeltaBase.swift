import HostSystem
import LibCrypto
import Zip

/// The files of an old version, to which a delta applies.
public enum DeltaBase: Hashable, Sendable {
    /// The files with some paths. The order must be that of the bytes of their paths in the package.
    case files([String])
    /// The files in a package.
    case package(String)

    /// Returns the contents of all files one after another.
    func content(limits: DeltaLimits) throws(DeltaError) -> [UInt8] {
        var content: [UInt8] = []
        switch self {
        case .files(let paths):
            for path in paths { content += try read(path, atMost: limits.baseLength - content.count) }
        case .package(let path):
            do {
                let archive = try ZipArchive(path: path)
                let names = archive.entries.filter { !$0.isDirectory }.map(\.name)
                for name in names.sorted(by: { $0.isBefore($1) }) {
                    content += try archive.contents(of: name, limit: limits.baseLength - content.count)
                }
            } catch {
                if let errno = error.errno { throw DeltaError(errno: errno, path: path) }
                throw DeltaError(error.code == .limitExceeded ? .tooLarge : .baseInvalid, path)
            }
        }
        return content
    }
}

/// Returns the content of a file.
func read(_ path: String, atMost limit: Int) throws(DeltaError) -> [UInt8] {
    try Descriptor<DeltaError>(file: path).content(atMost: limit)
}

/// Returns the SHA-256 digest of bytes.
func digest(of bytes: [UInt8]) throws(DeltaError) -> [UInt8] {
    if let digest = ContentHash.digest(of: bytes) { return digest }
    throw DeltaError(.unavailable, detail: "libcrypto failed")
}
