import LibCrypto
import Testing

@testable import Signing

/// Returns the bytes for a text of hexadecimal digits.
func bytes(_ hexadecimal: String) -> [UInt8] {
    let digits = hexadecimal.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

/// Returns the code of the error of a closure.
func code(_ body: () throws -> some Any) -> SigningError.Code? {
    do {
        _ = try body()
        return nil
    } catch {
        return (error as? SigningError)?.code
    }
}

extension SigningKey {
    /// Creates a reproducible key from a seed.
    init(seed: [UInt8], id: KeyID? = nil) throws {
        try self.init(#require(CryptoKey(seed: seed)), id: id)
    }
}

extension StringProtocol {
    /// Returns the text with one byte of its UTF-8 replaced.
    func replacingByte(at index: Int, with byte: UInt8) -> String {
        var bytes = Array(utf8)
        bytes[index] = byte
        return String(decoding: bytes, as: UTF8.self)
    }
}
