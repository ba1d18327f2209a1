public import PluginCore
import Zip

extension SealedPackage {
    /// Unpacks it into a new folder, in one pass: every file is inflated, checked, hashed and written, and at the end waited
    /// for until it is on the disk. Memory use does not depend on the sizes. When it throws, nothing is left of the folder.
    ///
    /// - Parameters:
    ///   - folder: the folder to make; the one around it must be there.
    ///   - unchanged: another version on the disk, whose files are shared as far as they are the sealed ones.
    ///   - progress: called with the bytes done and the bytes to do, both unpacked.
    /// - Throws: ``AtriumError`` with code `sealBroken` for the first file that is not the sealed one, `packageInvalid` for
    ///   damage, `storageFull` or `inputOutput`.
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

    /// Reads all contents and keeps none; returns what differs from the seal.
    func contentFindings() throws(AtriumError) -> [SealFinding] {
        var observer = try SealObserver(of: self, isLenient: true)
        do throws(ZipError) {
            try archive.verifyContents(observer: &observer)
            return observer.findings
        } catch {
            return observer.findings + [SealFinding(.invalidPackage(path, error))]
        }
    }
}
