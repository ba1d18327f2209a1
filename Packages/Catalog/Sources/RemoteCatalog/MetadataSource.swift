import PluginCore
import Synchronization
import TUF
import TUFMetadata

/// The metadata on a web server, told from what a network or the server answers in its place.
///
/// A network that wants a sign-in answers everything with a web page, and some servers answer missing files with one. That says nothing about
/// the catalog, so it is an error of the connection, or a missing file for the next root, which mostly does not exist.
struct MetadataSource: RepositorySource {
    let server: HTTPSource

    func read(
        _ path: String, receive: @escaping @Sendable (UnsafeRawBufferPointer) -> Bool
    ) async throws(TUFError) {
        let answer = Mutex(Answer())
        let failure: TUFError?
        do throws(TUFError) {
            try await server.read(path) { piece in answer.withLock { $0.append(piece) } && receive(piece) }
            failure = nil
        } catch {
            failure = error
        }
        guard let code = answer.withLock({ $0.fault(isWhole: failure == nil) }) else {
            if let failure { throw failure }
            return
        }
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

extension TUFError.Code {
    /// A web page in place of metadata.
    static let webPage = Self(rawValue: "web-page")
    /// Something else in place of metadata.
    static let otherContent = Self(rawValue: "other-content")
}
