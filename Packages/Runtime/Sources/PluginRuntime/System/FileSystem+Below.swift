internal import CSystem
#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
import PluginCore

extension FileSystem {
    /// What lies below a folder where a file of a certain size should.
    enum ExpectedContents {
        /// All of it.
        case file([UInt8])
        case otherSize(Int)
        /// No file, or a link on the way.
        case other
        case nothing
    }

    /// All of a file below a folder, read from one descriptor. Of `name`, a relative path, no component may be a link.
    ///
    /// - Parameter isByStep: whether to open one component after the other, as has to be done on old kernels.
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when it cannot be read.
    static func contents(
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
        default: throw failure("opening it", path)
        }
    }
}
