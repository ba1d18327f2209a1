import PluginRuntime
import BundleFormat
import Console
import PluginCore
import Signing

/// The value of the option `--key`, which is a public key or the path of its file.
enum PublicKeyOption {
    private static let limit = 4_096

    /// Reads the key.
    ///
    /// - Throws: ``AtriumError`` with code `keyInvalid` for an invalid key, `fileUnknown` if there is no such file, or
    ///   `inputOutput`;
    ///   `UsageError` with code `notUTF8`.
    @MainActor
    static func key(in call: HostCall) throws -> VerifyingKey {
        let text = call.parsed.value("key") ?? ""
        // A file name does not look like a key, which has exactly 56 letters, by accident.
        if let key = try? VerifyingKey(text) { return key }
        let content = try content(of: call.resolve(text), named: text)
        do throws(SigningError) {
            return try VerifyingKey(content)
        } catch {
            throw AtriumError(.keyInvalid, text, reason: error.reason)
        }
    }

    private static func content(of path: FilePath, named name: String) throws(AtriumError) -> String {
        guard InputFile.isThere(path) else {
            throw AtriumError(.fileUnknown, name, reason: "notKeyText")
        }
        let data = try InputFile.content(of: path)
        guard data.count <= limit else { throw AtriumError(.keyInvalid, name, reason: "keyFileTooLarge") }
        guard let text = String(validating: data, as: UTF8.self) else {
            throw AtriumError(.keyInvalid, name, reason: "notUTF8")
        }
        return text
    }
}
