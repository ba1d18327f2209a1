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
        let content = TargetContent(target.file, in: file)
        do throws(TUFError) {
            try await source.read(name) { content.append($0) }
        } catch {
            // A transfer that the content has ended fails, but with an error that says less.
            throw content.failure?.about(target.path) ?? error
        }
        try about(target.path) { () throws(TUFError) in try content.commit(as: fileName) }
        return true
    }

    /// Returns whether a file is the target.
    private func isTarget(_ saved: Folder) throws(TUFError) -> Bool {
        let hasher = HashAlgorithm.Hasher(Array(target.file.hashes.known.keys))
        var length = 0
        while let piece = try saved.next() {
            length += piece.count
            guard length <= target.file.length else { return false }
            hasher.update(piece)
        }
        return length == target.file.length && (try? target.file.hashes.verify(hasher)) != nil
    }
}

/// The content of a target while it arrives.
private final class TargetContent: Sendable {
    private struct State: ~Copyable {
        let hasher: HashAlgorithm.Hasher
        var length = 0
        var failure: TUFError?
    }

    private let target: TargetFile
    private let file: NewFile<TUFError>
    private let state: Mutex<State>

    init(_ target: TargetFile, in file: NewFile<TUFError>) {
        self.target = target
        self.file = file
        state = Mutex(State(hasher: HashAlgorithm.Hasher(Array(target.hashes.known.keys))))
    }

    var failure: TUFError? { state.withLock { $0.failure } }

    /// Appends a piece. Returns whether to continue.
    func append(_ piece: UnsafeRawBufferPointer) -> Bool {
        state.withLock { state in
            guard piece.count <= target.length - state.length else {
                state.failure = TUFError(.tooLong, detail: "more than \(target.length) bytes")
                return false
            }
            state.length += piece.count
            // A copy, because the memory of the piece belongs to another isolation than the hasher.
            state.hasher.update(Array(piece))
            do throws(TUFError) {
                try file.file.write(piece)
            } catch {
                state.failure = error
            }
            return state.failure == nil
        }
    }

    func commit(as name: String) throws(TUFError) {
        try state.withLock { (state) throws(TUFError) in
            if let failure = state.failure { throw failure }
            guard state.length == target.length else {
                throw TUFError(.tooShort, detail: "\(state.length) of \(target.length) bytes")
            }
            try target.hashes.verify(state.hasher)
        }
        try file.commit(as: name)
    }
}
