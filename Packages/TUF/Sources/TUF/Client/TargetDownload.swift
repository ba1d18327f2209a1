import HostSystem
import Synchronization
public import TUFMetadata

extension TUFClient {
    /// Downloads a target and verifies it, unless the file is already there.
    ///
    /// The file appears when it is complete, in place of an earlier one. See section 5.7 of the specification.
    ///
    /// - Parameters:
    ///   - target: The target.
    ///   - trusted: The metadata in which it was found.
    ///   - path: The path of the file.
    /// - Returns: Whether something was fetched.
    @discardableResult
    public func download(
        _ target: FoundTarget, in trusted: TrustedMetadata, to path: String
    ) async throws(TUFError) -> Bool {
        let name = try trusted.path(of: target)
        let (folderPath, fileName) = NewFile<TUFError>.location(of: path)
        let hasher = Mutex(HashAlgorithm.Hasher(target.file.hashes.known.keys))
        do throws(TUFError) {
            let folder = try Folder(folder: folderPath, isCreated: true)
            if let saved = try folder.file(fileName), try target.file.isContent(of: saved) { return false }
            let file = try NewFile(in: folder)
            let length = try await targets.read(name, atMost: target.file.length) { piece throws(TUFError) in
                // A copy, because the memory of the piece belongs to another isolation than the hasher.
                let copy = Array(piece)
                hasher.withLock { $0.update(copy) }
                try file.file.write(piece)
            }
            guard length == target.file.length else {
                throw TUFError(.tooShort, detail: "\(length) of \(target.file.length) bytes")
            }
            try hasher.withLock { hasher throws(TUFError) in try target.file.hashes.verify(hasher) }
            try file.commit(as: fileName)
            return true
        } catch {
            throw error.about(target.path)
        }
    }
}

extension TargetFile {
    /// Returns whether a file has the length and the hashes.
    fileprivate func isContent(of saved: Folder) throws(TUFError) -> Bool {
        let hasher = HashAlgorithm.Hasher(hashes.known.keys)
        var count = 0
        while let piece = try saved.next() {
            count += piece.count
            guard count <= length else { return false }
            hasher.update(piece)
        }
        return count == length && (try? hashes.verify(hasher)) != nil
    }
}
