import HTTPTransfer
import HostSystem
public import PluginCore
import Synchronization
import TUF
import TUFMetadata
import PluginRuntime

/// The metadata on a web server, told from what a network or the server answers in its place.
///
/// A network that wants a sign-in answers everything with a web page, and some servers answer missing files with one. That says nothing about
/// the catalog, so it is an error of the connection, or a missing file for the next root, which mostly does not exist.
struct MetadataSource: RepositorySource {
    let server: HTTPSource

    func read(_ path: String, receive: @escaping PieceReceiver) async throws(TUFError) {
        let answer = Mutex(Answer())
        let end = await result { () async throws(TUFError) in
            try await server.read(path) { piece in answer.withLock { $0.append(piece) } && receive(piece) }
        }
        let isWhole = (try? end.get()) != nil
        guard let code = answer.withLock({ $0.fault(isWhole: isWhole) }) else { return try end.get() }
        let isNextRoot = path.hasSuffix(".root.json") && path.first?.isNumber == true
        throw TUFError(isNextRoot ? .notFound : code, path, detail: code.rawValue)
    }

    /// The start of an answer, and whether it can be metadata.
    private struct Answer {
        private var bytes: [UInt8] = []
        private var isCut = false
        /// The size of the largest answer in place of metadata that is recognized by more than its first character.
        private static let limit = 1 << 20

        /// Adds a piece. Returns whether the answer can be metadata.
        mutating func append(_ piece: UnsafeRawBufferPointer) -> Bool {
            isCut = isCut || piece.count > Self.limit - bytes.count
            if !isCut { bytes += piece }
            return first.map { $0 == UInt8(ascii: "{") } ?? true
        }

        private var first: UInt8? { bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } }

        /// The code of the error of an answer that is not metadata; `nil` for one that can be.
        func fault(isWhole: Bool) -> TUFError.Code? {
            guard first == UInt8(ascii: "{") else {
                if first == nil { return isWhole && !isCut ? .otherContent : nil }
                return first == UInt8(ascii: "<") ? .webPage : .otherContent
            }
            guard isWhole, !isCut else { return nil }
            return (try? StrictJSON.decode(Shape.self, from: bytes)) == nil ? .otherContent : nil
        }
    }

    /// The members that all metadata has.
    private struct Shape: Decodable {
        struct Signed: Decodable {
            let _type: String
        }

        struct Signature: Decodable {}

        let signed: Signed
        let signatures: [Signature]
    }
}

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

    func read(_ path: String, receive: @escaping PieceReceiver) async throws(TUFError) {
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

// The codes of catalogs on servers.
extension AtriumError.Code {
    /// A list of catalogs that cannot be read.
    public static let sourcesInvalid = Self("sourcesInvalid")
}

extension AtriumError {
    /// Creates the error of a catalog from one of its metadata.
    init(_ error: TUFError, of catalog: String) {
        let (code, reason): (Code, String) =
            switch error.code {
            case .transferFailed, .notFound, .busy: (.catalogUnreachable, "metadataNotFetched")
            case .webPage: (.catalogUnreachable, "metadataIsPage")
            case .otherContent: (.catalogUnreachable, "metadataIsOther")
            case .certificateInvalid: (.catalogUnreachable, "certificateUntrusted")
            case .system: (.catalogUnreachable, "metadataNotSaved")
            case .rootMissing: (.catalogUntrusted, "rootNotPinned")
            case .expired: (.catalogUntrusted, "metadataExpired")
            case .rollback: (.catalogUntrusted, "metadataOlder")
            case .notSigned: (.catalogUntrusted, "metadataNotSigned")
            default: (.catalogUntrusted, "metadataInvalid")
            }
        self.init(
            code, catalog, reason: reason,
            ["code": .text(error.code.rawValue), "file": .text(error.subject), "detail": .text(error.detail)])
    }
}
