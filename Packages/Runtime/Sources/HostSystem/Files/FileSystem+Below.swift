internal import CSystem
import Glibc
package import PluginCore

extension FileSystem {
    /// The result of reading a file of an expected size below a folder.
    package enum ExpectedContents {
        /// The whole content.
        case file([UInt8])
        case otherSize(Int)
        /// The item isn't a regular file, or a component of the path is a link.
        case other
        case nothing
    }

    /// Reads a whole file below a folder through one descriptor.
    ///
    /// - Parameters:
    ///   - name: a relative path, none of whose components may be a link.
    ///   - isByStep: whether to open one component after the other, which old kernels require.
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when the file can't be read.
    package static func contents(
        below folder: FilePath, _ name: String, size expected: UInt64, isByStep: Bool = false
    ) throws(AtriumError) -> ExpectedContents {
        let path = folder.appending(name)
        let place = open(folder.string, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
        guard place >= 0 else { return try unopened(folder) }
        defer { close(place) }
        let descriptor = isByStep ? csystem_open_below_by_steps(place, name) : csystem_open_below(place, name)
        guard descriptor >= 0 else { return try unopened(path) }
        defer { close(descriptor) }
        guard let size = try fileSize(descriptor, at: path) else { return .other }
        guard size == expected else { return .otherSize(size) }
        return .file(try bytes(descriptor, atMost: size, of: path))
    }

    private static func unopened(_ path: FilePath) throws(AtriumError) -> ExpectedContents {
        switch errno {
        case ENOENT: return .nothing
        case ELOOP, ENOTDIR, ENXIO, EXDEV: return .other
        default: throw failure(reason: "openingFailed", path)
        }
    }
}
