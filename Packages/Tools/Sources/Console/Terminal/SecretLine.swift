/// A line that is typed key by key, with the keys of a terminal that change it.
struct SecretLine {
    enum State: Equatable {
        case going
        case ended
        case cancelled
    }

    /// More is nobody's password.
    private static let limit = 1_024

    private var bytes: [UInt8] = []

    var text: String { String(decoding: bytes, as: UTF8.self) }

    mutating func take(_ key: UInt8) -> State {
        switch key {
        case 0x0a, 0x0d: return .ended
        // Control-C, and Control-\ which would end the program by another signal.
        case 0x03, 0x1c: return .cancelled
        case 0x04: return bytes.isEmpty ? .cancelled : .ended
        case 0x15: bytes = []
        case 0x7f, 0x08:
            // A character may be several bytes, of which all but the first start with the bits 10.
            while let last = bytes.popLast(), last & 0xc0 == 0x80 {}
        default: if bytes.count < Self.limit { bytes.append(key) }
        }
        return .going
    }
}
