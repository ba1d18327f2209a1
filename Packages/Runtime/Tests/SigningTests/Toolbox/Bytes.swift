@testable import Signing

/// The bytes that pairs of hexadecimal digits stand for.
func bytes(_ hexadecimal: String) -> [UInt8] {
    let digits = hexadecimal.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

extension SigningKey {
    /// A key from its seed, for keys that must be the same in every run.
    init(seed: [UInt8], id: KeyID? = nil) throws {
        try self.init(KeyHandle(seed: seed), id: id)
    }
}

extension StringProtocol {
    /// The same text, with one byte of its UTF-8 changed to another.
    func replacingByte(at index: Int, with byte: UInt8) -> String {
        var bytes = Array(utf8)
        bytes[index] = byte
        return String(decoding: bytes, as: UTF8.self)
    }
}
