internal import Files
public import TUFMetadata

/// A repository in a local folder.
public struct FolderSource: RepositorySource {
    private let path: String

    /// Creates a source.
    public init(_ path: String) {
        self.path = path
    }

    /// Reads a file of the folder.
    public func read(
        _ path: String, receive: @escaping @Sendable (UnsafeRawBufferPointer) -> Bool
    ) async throws(TUFError) {
        // The separators of the path stay; an encoded one is part of a name, which no file has.
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard !parts.contains("."), !parts.contains("..") else { throw TUFError(.targetNameUnsafe, path) }
        var names: [String] = []
        for part in parts {
            guard let name = PercentEncoding.decoded(part), !name.contains("/"), !name.contains("\0") else {
                throw TUFError(.notFound, path)
            }
            names.append(name)
        }
        do throws(FileError) {
            guard let file = try Folder(path: self.path).open(names.joined(separator: "/")) else {
                throw FileError.missing(path)
            }
            while let piece = try file.next() {
                guard piece.withUnsafeBytes(receive) else { return }
            }
        } catch {
            throw TUFError(error.isMissing ? .notFound : .transferFailed, path, detail: error.description)
        }
    }
}
