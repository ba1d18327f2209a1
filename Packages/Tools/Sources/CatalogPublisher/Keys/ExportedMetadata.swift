public import PluginCore
public import TUFMetadata

/// Metadata in a file, which is signed in several places before it is published.
public enum ExportedMetadata: Sendable {
    /// A root.
    case root(SignedMetadata<Root>)
    /// The metadata of a targets role.
    case targets(SignedMetadata<Targets>)

    private static let limit = 1 << 26

    /// Reads a file.
    ///
    /// - Throws: ``PublisherError``.
    public init(_ file: FilePath) throws {
        let bytes = try PublisherFiles.bytes(of: file, limit: Self.limit)
        do throws(TUFError) {
            self = .root(try SignedMetadata(bytes))
        } catch {
            guard error.code == .wrongRole else { throw PublisherError.importInvalid(file, error.description) }
            do throws(TUFError) {
                self = .targets(try SignedMetadata(bytes))
            } catch {
                throw PublisherError.importInvalid(file, error.description)
            }
        }
    }

    /// The file.
    public var bytes: [UInt8] {
        switch self {
        case .root(let metadata): metadata.bytes
        case .targets(let metadata): metadata.bytes
        }
    }

    /// The identifiers of the keys that have signed.
    public var signers: [String] {
        switch self {
        case .root(let metadata): metadata.signatures.map(\.keyID)
        case .targets(let metadata): metadata.signatures.map(\.keyID)
        }
    }

    /// Adds signatures, and writes the file.
    ///
    /// - Throws: ``PublisherError``.
    public mutating func sign(by keys: [SecretKey], to file: FilePath) throws {
        do throws(TUFError) {
            switch self {
            case .root(let metadata): self = .root(try metadata.signed(by: keys))
            case .targets(let metadata): self = .targets(try metadata.signed(by: keys))
            }
        } catch {
            throw PublisherError.repository(error, file)
        }
        try write(to: file)
    }

    /// Adds the signatures of a copy that was signed elsewhere.
    ///
    /// - Throws: ``PublisherError`` if the copy has other content.
    public mutating func add(signaturesOf copy: ExportedMetadata, from file: FilePath) throws {
        do throws(TUFError) {
            switch (self, copy) {
            case (.root(let metadata), .root(let copy)): self = .root(try metadata.adding(signaturesOf: copy))
            case (.targets(let metadata), .targets(let copy)):
                self = .targets(try metadata.adding(signaturesOf: copy))
            default: throw TUFError(.wrongRole)
            }
        } catch {
            throw PublisherError.importInvalid(file, "it has other content: \(error.description)")
        }
    }

    /// Writes the file.
    public func write(to file: FilePath) throws {
        try PublisherFiles.write(bytes, to: file)
    }
}
