/// A line that is typed key by key, including the keys that edit it.
struct SecretLine {
    enum State: Equatable {
        case going
        case ended
        case canceled
    }

    /// The maximum length of a password in bytes.
    private static let limit = 1_024

    private var bytes: [UInt8] = []

    var text: String { String(decoding: bytes, as: UTF8.self) }

    mutating func take(_ key: UInt8) -> State {
        switch key {
        case 0x0a, 0x0d: return .ended
        // Control-C, and Control-\ which would otherwise end the program with another signal.
        case 0x03, 0x1c: return .canceled
        case 0x04: return bytes.isEmpty ? .canceled : .ended
        case 0x15: bytes = []
        case 0x7f, 0x08:
            // In UTF-8, all bytes of a character except the first start with the bits 10.
            while let last = bytes.popLast(), last & 0xc0 == 0x80 {}
        default: if bytes.count < Self.limit { bytes.append(key) }
        }
        return .going
    }
}
