internal import Hashing
internal import HostSystem

/// The files of an old version, to which a delta applies.
public enum DeltaBase: Hashable, Sendable {
    /// The files with some paths. The order must be that of the bytes of their paths in the package.
    case files([String])
    /// The files in a package.
    case package(String)

    /// Returns the contents of all files one after another.
    func content(limits: DeltaLimits) throws(DeltaError) -> [UInt8] {
        switch self {
        case .files(let paths):
            var content: [UInt8] = []
            for path in paths { content += try read(path, atMost: limits.baseLength - content.count) }
            return content
        case .package(let path):
            let bytes = try read(path, atMost: limits.baseLength)
            guard let members = Archive.members(of: bytes) else { throw DeltaError(.baseInvalid, path) }
            var content: [UInt8] = []
            for member in members.sorted(by: { $0.name.lexicographicallyPrecedes($1.name) }) {
                guard member.contentLength <= limits.baseLength - content.count else {
                    throw DeltaError(.tooLarge, path)
                }
                guard let inflated = member.content(in: bytes) else { throw DeltaError(.baseInvalid, path) }
                content += inflated
            }
            return content
        }
    }
}

/// Returns the content of a file.
func read(_ path: String, atMost limit: Int) throws(DeltaError) -> [UInt8] {
    try Descriptor<DeltaError>(file: path).content(atMost: limit)
}

/// Returns the SHA-256 digest of bytes in lowercase hexadecimal digits.
func digest(of bytes: [UInt8]) throws(DeltaError) -> String {
    let hash = ContentHash()
    bytes.withUnsafeBytes { hash.update($0) }
    guard let digest = hash.finish() else { throw DeltaError(.unavailable, "", detail: "libcrypto failed") }
    return digest
}
