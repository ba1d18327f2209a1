public import TUFMetadata

/// A repository that cannot be reached, for the use of saved metadata alone.
///
/// ```swift
/// let client = TUFClient(folder: "metadata", metadata: OfflineSource(), targets: OfflineSource())
/// let target = try await client.find("shop-1.1.0.zip", in: client.trusted())
/// ```
public struct OfflineSource: RepositorySource {
    /// Creates a source.
    public init() {}

    /// Throws an error with code `transferFailed`, because a file that is not saved may exist nevertheless.
    public func read(
        _ path: String, receive: @escaping @Sendable (UnsafeRawBufferPointer) -> Bool
    ) async throws(TUFError) {
        throw TUFError(.transferFailed, path, detail: "offline")
    }
}
