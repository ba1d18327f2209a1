import HostSystem
public import PluginCore
import Signing

/// The files of an installed version that a newer version shares by hard links instead of writing them again.
///
/// Each file is hashed through the descriptor that is then linked, so it equals the sealed one whatever happens to the old
/// version; the package's own copy is not read. Libraries are never shared, because the loader would give both versions one
/// image.
public struct UnchangedFiles: Sendable {
    /// The minimum size of a shared file, in bytes; smaller files are written as fast as they are linked.
    static let smallest = 1 << 16

    private let folder: FilePath
    private let seal: Seal

    /// Creates the list for the version in a folder; fails when its seal can't be read.
    public init?(of folder: FilePath) {
        guard let seal = try? SealedFolder(folder).seal() else { return nil }
        self.folder = folder
        self.seal = seal
    }

    /// Returns the number of bytes of a newer version that need not be written, which reads and hashes the files.
    ///
    /// - Parameter folder: the folder of the newer version; zero bytes are shared where the file system has no hard links.
    package func size(sharedWith newer: Seal, in folder: FilePath) -> UInt64 {
        newer.files.reduce(0) { size, file in
            guard let own = open(file) else { return size }
            return own.canHaveName(in: folder) ? size + file.size : size
        }
    }

    /// Opens a file if its content and mode are the sealed ones.
    func open(_ file: Seal.File) -> OpenFile? {
        guard file.size >= Self.smallest, !file.path.utf8.starts(with: "lib/".utf8), let own = seal.file(file.path),
            own.sha256 == file.sha256, own.isExecutable == file.isExecutable
        else { return nil }
        let path = folder.appending(file.path)
        guard let opened = OpenFile(path, mode: file.isExecutable ? 0o555 : 0o444) else { return nil }
        let hasher = SHA256Hasher()
        guard (try? opened.read(path) { hasher.update($0) }) != nil,
            (try? ContentDigest.finish(hasher)) == file.sha256
        else { return nil }
        return opened
    }
}
