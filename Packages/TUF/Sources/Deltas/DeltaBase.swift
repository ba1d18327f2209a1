internal import Files
internal import Hashing

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
    let place = Folder.location(of: path)
    do throws(FileError) {
        guard let content = try Folder(path: place.folder).read(place.name, atMost: limit) else {
            throw FileError.missing(path)
        }
        return content
    } catch {
        throw error.isTooLarge ? DeltaError(.tooLarge, path, detail: "more than \(limit) bytes") : DeltaError(error)
    }
}

/// Returns the SHA-256 digest of bytes in lowercase hexadecimal digits.
func digest(of bytes: [UInt8]) throws(DeltaError) -> String {
    let hash = ContentHash()
    bytes.withUnsafeBytes { hash.update($0) }
    guard let digest = hash.finish() else { throw DeltaError(.unavailable, "", detail: "libcrypto failed") }
    return digest
}

/// The contents of a base one after another, of which only the needed pieces are in memory.
///
/// A file may change while it is read. The digest of the result shows it.
final class BaseContent {
    private enum Source {
        case bytes([UInt8])
        case files([(path: String, range: Range<Int>)])
    }

    /// The length of all contents.
    let count: Int
    private let source: Source
    /// The file that was read last. Most steps lie in the same file as the one before.
    private var open: (index: Int, file: FileContent)?

    /// Opens a base.
    ///
    /// - Throws: ``DeltaError`` with code `tooLarge`, `baseInvalid` or `fileFailed`.
    init(_ base: DeltaBase, limits: DeltaLimits) throws(DeltaError) {
        guard case .files(let paths) = base else {
            let bytes = try base.content(limits: limits)
            (source, count) = (.bytes(bytes), bytes.count)
            return
        }
        var files: [(path: String, range: Range<Int>)] = []
        var end = 0
        for path in paths {
            let length = try Self.open(path).length
            guard length <= Int64(limits.baseLength - end) else {
                throw DeltaError(.tooLarge, path, detail: "more than \(limits.baseLength) bytes")
            }
            files.append((path, end..<end + Int(length)))
            end += Int(length)
        }
        (source, count) = (.files(files), end)
    }

    /// Creates a base of bytes.
    init(_ bytes: [UInt8]) {
        (source, count) = (.bytes(bytes), bytes.count)
    }

    /// Returns the SHA-256 digest of all contents in lowercase hexadecimal digits.
    func digest() throws(DeltaError) -> String {
        let hash = ContentHash()
        var place = 0
        while place < count {
            let piece = try bytes(place..<min(place + 1 << 20, count))
            piece.withUnsafeBytes { hash.update($0) }
            place += piece.count
        }
        guard let digest = hash.finish() else { throw DeltaError(.unavailable, "", detail: "libcrypto failed") }
        return digest
    }

    /// Returns the bytes in a range, which must lie in the base.
    func bytes(_ range: Range<Int>) throws(DeltaError) -> [UInt8] {
        switch source {
        case .bytes(let bytes): return Array(bytes[range])
        case .files(let files):
            var bytes: [UInt8] = []
            bytes.reserveCapacity(range.count)
            var index = Self.index(of: range.lowerBound, in: files)
            while bytes.count < range.count, index < files.count {
                let part = files[index].range.clamped(to: range)
                if !part.isEmpty { bytes += try read(part, of: files[index], index) }
                index += 1
            }
            return bytes
        }
    }

    private func read(
        _ part: Range<Int>, of file: (path: String, range: Range<Int>), _ index: Int
    ) throws(DeltaError) -> [UInt8] {
        let content = if let open, open.index == index { open.file } else { try Self.open(file.path) }
        open = (index, content)
        let bytes = try files { () throws(FileError) in
            try content.bytes(at: Int64(part.lowerBound - file.range.lowerBound), count: part.count)
        }
        guard bytes.count == part.count else {
            throw DeltaError(.baseMismatch, file.path, detail: "the file has become shorter")
        }
        return bytes
    }

    private static func open(_ path: String) throws(DeltaError) -> FileContent {
        let place = Folder.location(of: path)
        return try files { () throws(FileError) in
            guard let file = try Folder(path: place.folder).content(of: place.name) else {
                throw FileError.missing(path)
            }
            return file
        }
    }

    /// Returns the index of the file with a position: the first one that ends after it.
    private static func index(of position: Int, in files: [(path: String, range: Range<Int>)]) -> Int {
        var (low, high) = (0, files.count)
        while low < high {
            let middle = (low + high) / 2
            if files[middle].range.upperBound <= position { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
