import PluginCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension Files {
    /// Creates a new file and waits until it is on disk.
    ///
    /// - Parameter mode: the permissions, which apply from the file's creation on.
    /// - Throws: ``PackError`` if the path exists, ``AtriumError`` with code `inputOutput`. After an error no file remains.
    static func create(_ path: FilePath, _ content: String, mode: mode_t, remedy: String) throws {
        let file = open(path.string, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
        guard file >= 0 else {
            if errno == EEXIST { throw PackError.alreadyThere(path, remedy: remedy) }
            throw AtriumError(.inputOutput, path.string, detail: message(forError: errno))
        }
        defer { close(file) }
        do {
            var bytes = Array(content.utf8)[...]
            while !bytes.isEmpty {
                let count = bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else {
                    throw AtriumError(.inputOutput, path.string, detail: message(forError: errno))
                }
                bytes = bytes.dropFirst(count)
            }
            guard fsync(file) == 0 else {
                throw AtriumError(.inputOutput, path.string, detail: message(forError: errno))
            }
        } catch {
            unlink(path.string)
            throw error
        }
    }

    /// Removes a file that was just created.
    static func takeBack(_ path: FilePath) { unlink(path.string) }
}
