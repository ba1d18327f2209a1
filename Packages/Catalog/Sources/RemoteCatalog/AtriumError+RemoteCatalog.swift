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
        let values: [String: ErrorReason.Value] = ["file": .text(error.subject), "detail": .text(error.detail)]
        switch error.code {
        case .transferFailed, .notFound, .busy:
            self.init(.catalogUnreachable, catalog, reason: ErrorReason("metadataNotFetched", values))
        case .webPage: self.init(.catalogUnreachable, catalog, reason: ErrorReason("metadataIsPage", values))
        case .otherContent: self.init(.catalogUnreachable, catalog, reason: ErrorReason("metadataIsOther", values))
        case .certificateInvalid:
            self.init(.catalogUnreachable, catalog, reason: ErrorReason("certificateUntrusted", values))
        case .system: self.init(.catalogUnreachable, catalog, reason: ErrorReason("metadataNotSaved", values))
        case .rootMissing: self.init(.catalogUntrusted, catalog, reason: "rootNotPinned")
        case .expired: self.init(.catalogUntrusted, catalog, reason: ErrorReason("metadataExpired", values))
        case .rollback: self.init(.catalogUntrusted, catalog, reason: ErrorReason("metadataOlder", values))
        case .notSigned: self.init(.catalogUntrusted, catalog, reason: ErrorReason("metadataNotSigned", values))
        default:
            self.init(
                .catalogUntrusted, catalog,
                reason: ErrorReason(
                    "metadataInvalid",
                    [
                        "code": .text(error.code.rawValue), "file": .text(error.subject),
                        "detail": .text(error.detail),
                    ]))
        }
    }
}
