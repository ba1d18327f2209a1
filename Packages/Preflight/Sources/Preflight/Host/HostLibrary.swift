import HostSystem
import PluginCore

/// A library of the host's process, read from its file.
struct HostLibrary: Sendable {
    let path: FilePath
    let library: ELFLibrary
    /// A Boolean value that indicates whether the process has loaded it.
    let isLoaded: Bool

    /// Reads a library; fails when there is none that this process could load.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` when it can't be read, which says nothing about the library.
    init?(_ path: FilePath, isLoaded: Bool) throws(AtriumError) {
        let file: MappedFile
        do throws(MappedFile.Failure) {
            file = try MappedFile(path, isLinkFollowed: true)
        } catch {
            switch error {
            case .missing, .noFile, .tooLarge: return nil
            case .system(let reason):
                throw AtriumError(.inputOutput, path.string, reason: "readingFailed", ["message": .text(reason)])
            }
        }
        self.init(file, path, isLoaded: isLoaded)
    }

    /// Parses a library in memory, whose file would have the given path.
    init?(_ file: MappedFile, _ path: FilePath, isLoaded: Bool) {
        let view = ByteView(file)
        guard let header = try? ELFHeader(view), header.isReadable, header.machine == .host,
            let library = try? ELFLibrary(view, header)
        else { return nil }
        self.path = path
        self.library = library
        self.isLoaded = isLoaded
    }
}
