import PluginRuntime
public import PluginCore
import TUFMetadata

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
        let values: [String: ErrorReason.Value] = [
            "code": .text(error.code.rawValue), "file": .text(error.subject), "detail": .text(error.detail),
        ]
        self.init(code, catalog, reason: ErrorReason(reason, values))
    }
}
