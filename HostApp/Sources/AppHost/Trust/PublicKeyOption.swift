import Console
import FoundationEssentials
import PluginCore
import Signing

/// `--key`: a public key, by its file or as text.
enum PublicKeyOption {
    private static let limit = 4_096

    /// - Throws: `UsageError` when there is no key, ``AtriumError`` with code `keyInvalid` when it is none.
    @MainActor
    static func key(in call: HostCall) throws -> VerifyingKey {
        guard let text = call.parsed.value("key"), !text.isEmpty else {
            throw UsageError(
                .missingArgument, subject: "--key <KEY>", expected: ["--key <KEY>"],
                command: ["hostapp"] + call.parsed.path)
        }
        // No file has a name of just these 56 letters by chance.
        if let key = try? VerifyingKey(text) { return key }
        let content = try content(of: call.resolve(text), named: text)
        do throws(SigningError) {
            return try VerifyingKey(content)
        } catch {
            throw AtriumError(.keyInvalid, text, detail: error.detail)
        }
    }

    private static func content(of path: FilePath, named name: String) throws(AtriumError) -> String {
        guard let data = try? Data(contentsOf: URL(filePath: path.string)) else {
            throw AtriumError(.keyInvalid, name, detail: "it is neither a file that can be read nor a key in base64")
        }
        guard data.count <= limit else { throw AtriumError(.keyInvalid, name, detail: "the file is too large") }
        guard let text = String(validating: data, as: UTF8.self) else {
            throw AtriumError(.keyInvalid, name, detail: "it is no text in UTF-8")
        }
        return text
    }
}
