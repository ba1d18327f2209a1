import FoundationEssentials
import PluginCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The files that a command line names to be read.
enum InputFile {
    /// All that a file holds.
    ///
    /// - Throws: ``AtriumError`` with code `fileUnknown` when there is no such file, `inputOutput` when it cannot be read.
    static func content(of path: FilePath) throws(AtriumError) -> Data {
        guard isThere(path) else { throw AtriumError(.fileUnknown, path.string) }
        do {
            return try Data(contentsOf: URL(filePath: path.string))
        } catch {
            throw AtriumError(.inputOutput, path.string, detail: "it cannot be read")
        }
    }

    /// Returns whether something lies at a path that is no folder. Of what nobody may look at it is not said that it is not there.
    static func isThere(_ path: FilePath) -> Bool {
        var status = stat()
        guard stat(path.string, &status) == 0 else { return errno != ENOENT && errno != ENOTDIR }
        return status.st_mode & S_IFMT != S_IFDIR
    }
}
