#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
public import PluginCore
import Signing

/// The files of a version that is installed already, for a newer one that has some of them too: these get one more name and
/// are not written again.
///
/// Each is read and hashed before it is shared, on the open file that is then linked, so what comes out is what is sealed
/// whatever became of the old version meanwhile; what the package has in their place is not looked at. Libraries are never shared: the loader would give both versions one image.
public struct UnchangedFiles: Sendable {
    /// Smaller files, in bytes, are written as quickly as they are shared.
    static let smallest = 1 << 16

    private let folder: FilePath
    private let seal: Seal

    /// The files of the version in a folder; `nil` when its seal cannot be read.
    public init?(of folder: FilePath) {
        guard let seal = try? SealedFolder(folder).seal() else { return nil }
        self.folder = folder
        self.seal = seal
    }

    /// How many bytes of a newer version's files need not be written. To know that, they are read and hashed.
    ///
    /// - Parameter folder: where the newer version comes to; there is none to share where the file system gives a file one name alone.
    func size(sharedWith newer: Seal, in folder: FilePath) -> UInt64 {
        newer.files.reduce(0) { size, file in
            guard let descriptor = open(file) else { return size }
            defer { close(descriptor) }
            return FileSystem.canLink(descriptor, into: folder) ? size + file.size : size
        }
    }

    private func close(_ descriptor: Int32) {
        #if canImport(Glibc)
            _ = Glibc.close(descriptor)
        #else
            _ = Darwin.close(descriptor)
        #endif
    }

    /// The file, open, if it is the sealed one.
    func open(_ file: Seal.File) -> Int32? {
        guard file.size >= Self.smallest, !file.path.utf8.starts(with: "lib/".utf8), let own = seal.file(file.path),
            own.sha256 == file.sha256, own.isExecutable == file.isExecutable
        else { return nil }
        let path = folder.appending(file.path)
        let flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        #if canImport(Glibc)
            let descriptor = Glibc.open(path.string, flags)
        #else
            let descriptor = Darwin.open(path.string, flags)
        #endif
        guard descriptor >= 0 else { return nil }
        let hasher = SHA256Hasher()
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            status.st_mode & 0o7777 == (file.isExecutable ? 0o555 : 0o444),
            (try? FileSystem.read(descriptor, of: path) { hasher.update($0) }) != nil,
            (try? ContentDigest.finish(hasher)) == file.sha256
        else {
            close(descriptor)
            return nil
        }
        return descriptor
    }
}
