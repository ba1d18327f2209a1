#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
import PluginCore

extension FileSystem {
    /// Whether this process can work in a folder, and if not, why: nothing that it cannot see is taken for nothing being there.
    enum Access: Equatable {
        case usable
        /// Nothing lies there.
        case missing
        /// Something is there that is no folder.
        case noFolder
        /// This user may not look at it, or not read and write in it.
        case denied
        /// What lies on the way to it is no folder, or a link that leads nowhere or in a circle.
        case blocked
        /// Anything else; the error number.
        case failed(Int32)

        /// What the error number of looking at a folder says.
        init(errno number: Int32) {
            switch number {
            case ENOENT: self = .missing
            case EACCES, EPERM, EROFS: self = .denied
            case ENOTDIR, ELOOP, ENAMETOOLONG: self = .blocked
            default: self = .failed(number)
            }
        }
    }

    /// Links are followed.
    static func access(to folder: FilePath) -> Access {
        var status = stat()
        guard stat(folder.string, &status) == 0 else {
            let access = Access(errno: errno)
            guard access == .missing else { return access }
            // Something is there all the same: a link that leads nowhere, which no folder can be made in the place of.
            return (try? item(at: folder)) == nil ? .missing : .blocked
        }
        guard status.st_mode & S_IFMT == S_IFDIR else { return .noFolder }
        #if canImport(Glibc)
            let isUsable = Glibc.access(folder.string, R_OK | W_OK | X_OK) == 0
        #else
            let isUsable = Darwin.access(folder.string, R_OK | W_OK | X_OK) == 0
        #endif
        return isUsable ? .usable : Access(errno: errno)
    }
}
