import Glibc
package import PluginCore

extension FileSystem {
    /// The result of checking that this process can work in a folder.
    ///
    /// An item that can't be examined isn't reported as missing.
    package enum Access: Equatable {
        case usable
        /// Nothing exists at the path.
        case missing
        /// The item at the path isn't a folder.
        case noFolder
        /// The user lacks permission to read, write or search the folder.
        case denied
        /// A component of the path isn't a folder, or a link is broken or circular.
        case blocked
        /// Any other failure, with its error number.
        case failed(Int32)

        /// Classifies the error number of a failed look at a folder.
        init(errno number: Int32) {
            switch number {
            case ENOENT: self = .missing
            case EACCES, EPERM, EROFS: self = .denied
            case ENOTDIR, ELOOP, ENAMETOOLONG: self = .blocked
            default: self = .failed(number)
            }
        }
    }

    /// Checks that this process can read, write and search a folder, following links.
    package static func access(to folder: FilePath) -> Access {
        var status = stat()
        guard stat(folder.string, &status) == 0 else {
            let access = Access(errno: errno)
            guard access == .missing else { return access }
            // A broken link isn't an absent item: no folder can be made in its place.
            return (try? item(at: folder)) == nil ? .missing : .blocked
        }
        guard status.st_mode & S_IFMT == S_IFDIR else { return .noFolder }
        let isUsable = Glibc.access(folder.string, R_OK | W_OK | X_OK) == 0
        return isUsable ? .usable : Access(errno: errno)
    }
}
