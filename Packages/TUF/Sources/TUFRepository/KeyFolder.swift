internal import Files
public import TUFMetadata

/// Secret keys in a local folder, each encrypted in a file named by its identifier.
///
/// ```swift
/// let folder = KeyFolder("keys")
/// try folder.save(SecretKey.generate(.ed25519), password: password)
/// ```
public struct KeyFolder: Sendable {
    private let path: String

    /// Creates a reference to a folder, which need not exist yet.
    public init(_ path: String) {
        self.path = path
    }

    /// Saves a key.
    public func save(_ key: SecretKey, password: String) throws(TUFError) {
        let pem = try key.pem(password: password)
        do throws(FileError) {
            try Folder(path: path, isCreated: true).replace(
                "\(key.publicKey.id).pem", with: Array(pem.utf8), isPrivate: true)
        } catch {
            throw TUFError(.system, key.publicKey.id, detail: error.description)
        }
    }

    /// Reads a key.
    ///
    /// - Throws: ``TUFError`` with code `passwordWrong` or `notFound`.
    public func key(_ id: String, password: String) throws(TUFError) -> SecretKey {
        let pem: [UInt8]?
        do throws(FileError) {
            pem = try Folder(path: path).read("\(id).pem", atMost: 1 << 16)
        } catch {
            throw TUFError(.system, id, detail: error.description)
        }
        guard let pem else { throw TUFError(.notFound, id) }
        return try SecretKey(pem: String(decoding: pem, as: UTF8.self), password: password)
    }

    /// The identifiers of the keys in the folder.
    public func ids() throws(TUFError) -> [String] {
        do throws(FileError) {
            return try Folder(path: path).names().filter { $0.hasSuffix(".pem") }.map { String($0.dropLast(4)) }
        } catch {
            if error.isMissing { return [] }
            throw TUFError(.system, path, detail: error.description)
        }
    }
}
