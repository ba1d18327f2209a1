import Glibc
package import PluginCore

/// Files without a name, which disappear with their last descriptors.
package enum UnnamedFile {
    /// Creates a file with some content.
    ///
    /// - Parameter folder: The folder in whose file system it lies.
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable`.
    package static func create(_ bytes: [UInt8], in folder: FilePath) throws(AtriumError) -> AttachmentFile {
        let name = folder.appending(".\(processSerial())")
        let descriptor = open(name.string, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw FileSystem.failure(reason: "creatingFailed", name) }
        let file = AttachmentFile(taking: descriptor)
        guard unlink(name.string) == 0 else { throw FileSystem.failure(reason: "removingFailed", name) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw FileSystem.failure(reason: "writingFailed", name) }
            rest = rest.dropFirst(count)
        }
        return file
    }
}
