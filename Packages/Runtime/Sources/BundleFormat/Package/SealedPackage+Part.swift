public import PluginCore
import HostSystem
import Zip

extension SealedPackage {
    /// Writes the part of the package for one platform: the same seal, signature and files, without the libraries of other platforms.
    ///
    /// The same package gives the same bytes. All contents are compared with the seal on the way.
    ///
    /// - Parameters:
    ///   - platform: the triple of the platform, one of ``platforms``.
    ///   - path: the path of the part, in an existing folder.
    /// - Throws: as ``extract(to:for:sharing:progress:)``.
    public func writePart(for platform: String, to path: FilePath) throws(AtriumError) {
        let files = FilePath("\(path).files")
        defer { try? FileSystem.remove(files) }
        try extract(to: files, for: platform)
        do throws(ZipError) {
            var writer = ZipWriter()
            for entry in archive.entries where !entry.isDirectory {
                guard Seal.platform(of: entry.name).map({ $0 == platform }) ?? true else { continue }
                try writer.add(file: "\(files)/\(entry.name)", as: entry.name, executable: entry.isExecutable)
            }
            try writer.write(to: path.string)
        } catch {
            throw .invalidPackage(path, error)
        }
    }
}
