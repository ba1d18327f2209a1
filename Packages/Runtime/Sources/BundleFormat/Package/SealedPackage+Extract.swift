public import PluginCore
import Zip

extension SealedPackage {
    /// Extracts the package into a new folder in one pass: every file is inflated, checked, hashed and written.
    ///
    /// At the end, all files are synced to the disk. Memory use doesn't depend on the sizes. When it throws, the folder doesn't exist.
    ///
    /// - Parameters:
    ///   - folder: the folder to create; its parent must exist.
    ///   - unchanged: an installed version whose files are shared where they equal the sealed ones.
    ///   - progress: called with the completed and the total number of uncompressed bytes.
    /// - Throws: ``AtriumError`` with code `sealBroken` for the first file that differs from the sealed one, `packageInvalid`
    ///   for a damaged archive, `storageFull` or `inputOutput`.
    public func extract(
        to folder: FilePath, sharing unchanged: UnchangedFiles? = nil,
        progress: (_ bytesDone: UInt64, _ bytesTotal: UInt64) -> Void = { _, _ in }
    ) throws(AtriumError) {
        var observer = try SealObserver(of: self, sharing: unchanged)
        do throws(ZipError) {
            try archive.extract(to: folder.string, durability: .synced, observer: &observer, progress: progress)
        } catch {
            throw observer.findings.refusal(of: path.lastComponent) ?? .invalidPackage(path, error)
        }
    }

    /// Reads all contents without writing them, and returns the differences from the seal.
    package func contentFindings() throws(AtriumError) -> [SealFinding] {
        var observer = try SealObserver(of: self, isLenient: true)
        do throws(ZipError) {
            try archive.verifyContents(observer: &observer)
            return observer.findings
        } catch {
            return observer.findings + [SealFinding(.invalidPackage(path, error))]
        }
    }
}
