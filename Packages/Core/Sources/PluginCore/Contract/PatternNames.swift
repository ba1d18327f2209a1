/// The names in a route pattern, found without parsing the full grammar, which the router does.
struct PatternNames: Hashable, Sendable {
    private(set) var captures: Set<String> = []
    private(set) var rest: String?

    /// Finds the names of a pattern. The result for a malformed pattern may be incomplete.
    init(_ pattern: String) {
        let bytes = Array(pattern.utf8)
        func name(at start: Int) -> String? {
            guard start < bytes.count, bytes[start].isNameByte, !bytes[start].isASCIIDigit else { return nil }
            return String(decoding: bytes[start...].prefix(while: \.isNameByte), as: UTF8.self)
        }
        for index in bytes.indices.dropLast() {
            switch (bytes[index], bytes[index + 1]) {
            case (.colon, UInt8(ascii: "{")): if let name = name(at: index + 2) { captures.insert(name) }
            case (.colon, _): if let name = name(at: index + 1) { captures.insert(name) }
            case (UInt8(ascii: "*"), UInt8(ascii: "*")): rest = name(at: index + 2) ?? "rest"
            default: continue
            }
        }
    }

    /// The only name, or nil if the pattern has none or several.
    var only: String? {
        switch (captures.count, rest) {
        case (0, let rest): rest
        case (1, nil): captures.first
        default: nil
        }
    }
}

extension UInt8 {
    fileprivate var isNameByte: Bool { isASCIILetter || isASCIIDigit || self == UInt8(ascii: "_") }
}
