import Synchronization
import TUF
import TUFMetadata

/// A folder of a catalog at several places, one of which is used until it fails.
final class MirroredSource: RepositorySource {
    private let places: [any RepositorySource]
    private let current = Mutex(0)

    /// Creates a source.
    ///
    /// - Parameter places: The place of the catalog and its mirrors; at least one.
    init(_ places: [any RepositorySource]) {
        self.places = places
    }

    /// The number of the place that is used; 0 is not a mirror.
    var index: Int { current.withLock(\.self) }

    func read(
        _ path: String, receive: @escaping @Sendable (UnsafeRawBufferPointer) -> Bool
    ) async throws(TUFError) {
        try await places[index].read(path, receive: receive)
    }

    /// Uses the next place after one has failed.
    ///
    /// - Returns: Whether there is another place, also if another task has already gone on to it.
    func leave(_ failed: Int) -> Bool {
        current.withLock { current in
            if current == failed, current + 1 < places.count { current += 1 }
            return current > failed
        }
    }

    /// Uses the first place again.
    func restart() { current.withLock { $0 = 0 } }
}

extension TUFError {
    /// A Boolean value that indicates whether the error is one of the connection or the server, and not of what it has served.
    var isOfConnection: Bool {
        [.transferFailed, .notFound, .certificateInvalid, .webPage, .otherContent].contains(code)
    }
}
