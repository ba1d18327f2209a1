internal import CCrypto
import PluginCore

/// SHA-256 (FIPS 180-4), by libcrypto.
enum SHA256 {
    /// The digest of a file, in lower-case hexadecimal.
    static func digest(of file: FilePath) throws(AtriumError) -> String {
        guard let context = EVP_MD_CTX_new() else { throw broken(file) }
        defer { EVP_MD_CTX_free(context) }
        guard EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else { throw broken(file) }
        var isWhole = true
        try FileSystem.read(file) { piece in
            if EVP_DigestUpdate(context, piece.baseAddress, piece.count) != 1 { isWhole = false }
        }
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        guard isWhole, EVP_DigestFinal_ex(context, &digest, &count) == 1 else { throw broken(file) }
        return digest.prefix(Int(count)).map(hexadecimal).joined()
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }

    private static func broken(_ file: FilePath) -> AtriumError {
        AtriumError(.inputOutput, file.string, detail: "libcrypto can not hash it")
    }
}
