import Console
public import PluginCore
import Signing
public import TUFMetadata
import TUFRepository

/// The secret keys in a folder, which are decrypted when they are needed.
///
/// The folder has the keys of a catalog, each named by its identifier, and may have pairs of files that "bundletool keygen" created. All
/// encrypted ones have the same password.
public struct CatalogKeys {
    /// Asks for the password of the keys.
    public typealias Asking = (_ folder: FilePath, _ isNew: Bool) throws -> String

    /// The folder.
    public let folder: FilePath
    private var files: [String: FilePath] = [:]
    private var loaded: [String: SecretKey] = [:]
    private var password: String?
    private let ask: Asking

    private static let sizeLimit = 1 << 16

    /// Lists the keys in a folder, which need not exist yet.
    ///
    /// - Parameter ask: Called once, if a password is needed.
    public init(folder: FilePath, ask: @escaping Asking) throws {
        (self.folder, self.ask) = (folder, ask)
        for name in PublisherFiles.names(in: folder) {
            let path = folder.appending(name)
            if name.hasSuffix(".pem") {
                files[String(name.dropLast(4))] = path
            } else if name.hasSuffix(".key") {
                let publicFile = folder.appending(String(name.dropLast(4)) + ".pub")
                guard PublisherFiles.exists(publicFile) else { continue }
                files[try Self.publicKey(in: publicFile).id] = path
            }
        }
    }

    /// The identifiers of the keys.
    public var ids: Set<String> { Set(files.keys) }

    /// Returns the identifiers of a role's keys that are in the folder.
    ///
    /// - Throws: ``CommandError`` with `keysMissing` if they are too few.
    func signers(of role: String, _ needed: RoleKeys) throws(CommandError) -> Set<String> {
        let present = ids.intersection(needed.ids)
        guard present.count >= needed.threshold else {
            throw .keysMissing(role: role, keys: needed.ids, needed: needed.threshold, folder)
        }
        return present
    }

    /// Returns the path of a key's file, or nil if it is not in the folder.
    public func file(of id: String) -> FilePath? { files[id] }

    /// Reads a public key that "bundletool keygen" created.
    ///
    /// - Throws: ``CommandError``.
    public static func publicKey(in file: FilePath) throws -> PublicKey {
        let text = String(decoding: try PublisherFiles.bytes(of: file, limit: sizeLimit), as: UTF8.self)
        do {
            let point = try VerifyingKey(text).point
            let digits = point.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
            return try PublicKey(.ed25519, public: digits.joined())
        } catch {
            throw CommandError.keyInvalid(file, "it is not a public key")
        }
    }

    /// Decrypts keys.
    ///
    /// - Throws: ``CommandError``, and the errors of the question for the password.
    public mutating func keys(_ ids: some Sequence<String>) throws -> [SecretKey] {
        try ids.sorted().compactMap { id in try key(id) }
    }

    private mutating func key(_ id: String) throws -> SecretKey? {
        if let key = loaded[id] { return key }
        guard let path = files[id] else { return nil }
        let pem = String(decoding: try PublisherFiles.bytes(of: path, limit: Self.sizeLimit), as: UTF8.self)
        let isEncrypted = pem.contains("ENCRYPTED")
        let password = isEncrypted ? try currentPassword(isNew: false) : nil
        let key: SecretKey
        do throws(TUFError) {
            key = try SecretKey(pem: pem, password: password)
        } catch {
            if error.code == .passwordWrong { throw CommandError.passwordWrong(path) }
            throw CommandError.keyInvalid(path, error.detail)
        }
        guard key.publicKey.id == id else { throw CommandError.keyInvalid(path, "it is another key") }
        loaded[id] = key
        return key
    }

    /// Creates a key in the folder.
    public mutating func generate() throws -> SecretKey {
        let password = try currentPassword(isNew: files.isEmpty)
        let key: SecretKey
        do throws(TUFError) {
            key = try SecretKey.generate(.ed25519)
            try key.save(in: folder.string, password: password)
        } catch {
            throw CommandError.repository(error, folder)
        }
        let id = key.publicKey.id
        files[id] = folder.appending("\(id).pem")
        loaded[id] = key
        return key
    }

    private mutating func currentPassword(isNew: Bool) throws -> String {
        if let password { return password }
        let given = try ask(folder, isNew)
        password = given
        return given
    }
}

/// Metadata in a file, which is signed in several places before it is published.
public enum ExportedMetadata: Sendable {
    /// A root.
    case root(SignedMetadata<Root>)
    /// The metadata of a targets role.
    case targets(SignedMetadata<Targets>)

    private static let limit = 1 << 26

    /// Reads a file.
    ///
    /// - Throws: ``CommandError``.
    public init(_ file: FilePath) throws {
        let bytes = try PublisherFiles.bytes(of: file, limit: Self.limit)
        do throws(TUFError) {
            self = .root(try SignedMetadata(bytes))
        } catch {
            guard error.code == .wrongRole else { throw CommandError.importInvalid(file, error.description) }
            do throws(TUFError) {
                self = .targets(try SignedMetadata(bytes))
            } catch {
                throw CommandError.importInvalid(file, error.description)
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
    /// - Throws: ``CommandError``.
    public mutating func sign(by keys: [SecretKey], to file: FilePath) throws {
        do throws(TUFError) {
            switch self {
            case .root(let metadata): self = .root(try metadata.signed(by: keys))
            case .targets(let metadata): self = .targets(try metadata.signed(by: keys))
            }
        } catch {
            throw CommandError.repository(error, file)
        }
        try write(to: file)
    }

    /// Adds the signatures of a copy that was signed elsewhere.
    ///
    /// - Throws: ``CommandError`` if the copy has other content.
    public mutating func add(signaturesOf copy: ExportedMetadata, from file: FilePath) throws {
        do throws(TUFError) {
            switch (self, copy) {
            case (.root(let metadata), .root(let copy)): self = .root(try metadata.adding(signaturesOf: copy))
            case (.targets(let metadata), .targets(let copy)):
                self = .targets(try metadata.adding(signaturesOf: copy))
            default: throw TUFError(.wrongRole)
            }
        } catch {
            throw CommandError.importInvalid(file, "it has other content: \(error.description)")
        }
    }

    /// Writes the file.
    public func write(to file: FilePath) throws {
        try PublisherFiles.write(bytes, to: file)
    }
}
