internal import HostSystem
import Synchronization
import TUFMetadata

/// The download of a target into a file.
///
/// See section 5.7 of the specification.
struct TargetDownload {
    let target: FoundTarget
    /// The path of the file in the repository.
    let name: String
    let path: String

    /// Returns whether something was fetched.
    func run(from source: any RepositorySource) async throws(TUFError) -> Bool {
        let (folderPath, fileName) = NewFile<TUFError>.location(of: path)
        let file = try about(target.path) { () throws(TUFError) in
            let folder = try Folder(folder: folderPath, isCreated: true)
            if let saved = try folder.file(fileName), try isTarget(saved) { return NewFile<TUFError>?.none }
            return try NewFile(in: folder)
        }
        guard let file else { return false }
        let hasher = Mutex(HashAlgorithm.Hasher(target.file.hashes.known.keys))
        do throws(TUFError) {
            let length = try await source.read(name, atMost: target.file.length) { (piece) throws(TUFError) in
                // A copy, because the memory of the piece belongs to another isolation than the hasher.
                let copy = Array(piece)
                hasher.withLock { $0.update(copy) }
                try file.file.write(piece)
            }
            guard length == target.file.length else {
                throw TUFError(.tooShort, detail: "\(length) of \(target.file.length) bytes")
            }
            try hasher.withLock { (hasher) throws(TUFError) in try target.file.hashes.verify(hasher) }
            try file.commit(as: fileName)
        } catch {
            throw error.about(target.path)
        }
        return true
    }

    /// Returns whether a file is the target.
    private func isTarget(_ saved: Folder) throws(TUFError) -> Bool {
        let hasher = HashAlgorithm.Hasher(target.file.hashes.known.keys)
        var length = 0
        while let piece = try saved.next() {
            length += piece.count
            guard length <= target.file.length else { return false }
            hasher.update(piece)
        }
        return length == target.file.length && (try? target.file.hashes.verify(hasher)) != nil
    }
}
