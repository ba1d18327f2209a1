import Console
import FoundationEssentials
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
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder.string)) ?? []).sorted()
        for name in names {
            let stem = String(name.dropLast(4))
            if name.hasSuffix(".pem") {
                files[stem] = folder.appending(name)
            } else if name.hasSuffix(".key"), names.contains("\(stem).pub") {
                files[try Self.publicKey(in: folder.appending("\(stem).pub")).id] = folder.appending(name)
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
    /// - Throws: ``CommandError``, or the errors of `NamedFile`.
    public static func publicKey(in file: FilePath) throws -> PublicKey {
        let text = try text(of: file)
        return try Result {
            let digits = try VerifyingKey(text).point.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
            return try PublicKey(.ed25519, public: digits.joined())
        }.mapError { _ in CommandError.keyInvalid(file, "it is not a public key") }.get()
    }

    private static func text(of file: FilePath) throws -> String {
        String(decoding: try NamedFile.bytes(of: file, limit: sizeLimit), as: UTF8.self)
    }

    /// Decrypts keys.
    ///
    /// - Throws: ``CommandError``, and the errors of the question for the password.
    public mutating func keys(_ ids: some Sequence<String>) throws -> [SecretKey] {
        try ids.sorted().compactMap { try key($0) }
    }

    private mutating func key(_ id: String) throws -> SecretKey? {
        if let key = loaded[id] { return key }
        guard let path = files[id] else { return nil }
        let pem = try Self.text(of: path)
        let password = pem.contains("ENCRYPTED") ? try currentPassword(isNew: false) : nil
        let key: SecretKey
        do {
            key = try SecretKey(pem: pem, password: password)
        } catch {
            if error.code == .passwordWrong {
                throw CommandError(.refused, path, code: "passwordWrong", reason: "catalogPasswordWrong")
            }
            throw CommandError.keyInvalid(path, error.detail)
        }
        guard key.publicKey.id == id else { throw CommandError.keyInvalid(path, "it is another key") }
        loaded[id] = key
        return key
    }

    /// Creates a key in the folder.
    public mutating func generate() throws -> SecretKey {
        let password = try currentPassword(isNew: files.isEmpty)
        let key = try reporting(folder) {
            let key = try SecretKey.generate(.ed25519)
            try key.save(in: folder.string, password: password)
            return key
        }
        let id = key.publicKey.id
        files[id] = folder.appending("\(id).pem")
        loaded[id] = key
        return key
    }

    private mutating func currentPassword(isNew: Bool) throws -> String {
        let given = try password ?? ask(folder, isNew)
        password = given
        return given
    }
}

/// Metadata that several owners of keys sign.
public protocol SharedMetadata: Sendable {
    /// The content of a file, with the signatures.
    var bytes: [UInt8] { get }
    /// The signatures.
    var signatures: [Signature] { get }
    /// Returns the metadata with signatures by further keys.
    func signed(by keys: [SecretKey]) throws(TUFError) -> Self
    /// Returns the metadata with the signatures of a copy.
    func adding(signaturesOf copy: Self) throws(TUFError) -> Self
}

extension SignedMetadata: SharedMetadata {}

/// Metadata in a file, which is signed in several places before it is published.
public struct ExportedMetadata: Sendable {
    /// The metadata of a root, or of a role with targets.
    public private(set) var metadata: any SharedMetadata

    private static let limit = 1 << 26

    /// Creates a file's content from metadata.
    public init(_ metadata: any SharedMetadata) { self.metadata = metadata }

    /// Reads a file.
    ///
    /// - Throws: ``CommandError``, or the errors of `NamedFile`.
    public init(_ file: FilePath) throws {
        let bytes = try NamedFile.bytes(of: file, limit: Self.limit)
        do {
            do {
                metadata = try SignedMetadata<Root>(bytes)
            } catch  where error.code == .wrongRole {
                metadata = try SignedMetadata<Targets>(bytes)
            }
        } catch {
            throw CommandError.importInvalid(file, error.description)
        }
    }

    /// Adds signatures.
    ///
    /// - Parameter file: The file, for errors.
    /// - Throws: ``CommandError``.
    public mutating func sign(by keys: [SecretKey], of file: FilePath) throws {
        metadata = try reporting(file) { try metadata.signed(by: keys) }
    }

    /// Adds the signatures of a copy that was signed elsewhere.
    ///
    /// - Throws: ``CommandError`` if the copy has other content.
    public mutating func add(signaturesOf copy: ExportedMetadata, from file: FilePath) throws {
        func added<Metadata: SharedMetadata>(to own: Metadata) throws(TUFError) -> Metadata {
            guard let copy = copy.metadata as? Metadata else { throw TUFError(.wrongRole) }
            return try own.adding(signaturesOf: copy)
        }
        metadata = try Result { () throws(TUFError) in try added(to: metadata) }
            .mapError { CommandError.importInvalid(file, "it has other content: \($0.description)") }.get()
    }

    /// Writes the file.
    public func write(to file: FilePath) throws {
        try Result { try Data(metadata.bytes).write(to: URL(filePath: file.string), options: .atomic) }
            .mapError { _ in CommandError.fileUnusable(file, "it cannot be written") }.get()
    }
}
