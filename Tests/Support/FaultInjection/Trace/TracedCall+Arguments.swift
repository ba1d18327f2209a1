extension TracedCall {
    /// An argument or the result.
    enum Value: Equatable {
        /// A string in quotation marks, with the bytes that the program used.
        case text([UInt8])
        /// Any other text, such as a descriptor or names of flags.
        case word(String)

        /// The string as a path.
        var path: String? {
            if case .text(let bytes) = self { String(decoding: bytes, as: UTF8.self) } else { nil }
        }

        var word: String {
            if case .word(let word) = self { word } else { "" }
        }

        /// The number at the start, which is octal if it begins with a zero.
        var number: Int? {
            guard case .word(let word) = self else { return nil }
            let digits = word.prefix { $0.isNumber }
            return digits.hasPrefix("0") ? Int(digits, radix: 8) : Int(digits)
        }

        /// The path of an open file, which strace adds to descriptors.
        var openPath: String? {
            guard case .word(let word) = self, let start = word.firstIndex(of: "<"), word.hasSuffix(">") else {
                return nil
            }
            return String(word[word.index(after: start)...].dropLast())
        }
    }

    /// Returns the arguments and the result, or nil for an incomplete call.
    func parsed() -> (arguments: [Value], result: Value)? {
        var reader = Reader(bytes: Array(text.utf8), position: name.utf8.count + 1)
        guard !name.isEmpty, let arguments = reader.arguments() else { return nil }
        let rest = String(decoding: reader.rest, as: UTF8.self)
        guard let equals = rest.firstIndex(of: "=") else { return nil }
        let result = rest[rest.index(after: equals)...].drop { $0 == " " }
        return (arguments, .word(String(result)))
    }

    private struct Reader {
        let bytes: [UInt8]
        var position: Int

        var rest: ArraySlice<UInt8> { bytes[position...] }

        mutating func arguments() -> [Value]? {
            var values: [Value] = []
            while position < bytes.count {
                switch bytes[position] {
                case UInt8(ascii: ")"):
                    position += 1
                    return values
                case UInt8(ascii: ","), UInt8(ascii: " "): position += 1
                case UInt8(ascii: "\""):
                    guard let text = quoted() else { return nil }
                    values.append(.text(text))
                    // An ellipsis marks a truncated string, which must not be taken for the complete one.
                    if rest.starts(with: Array("...".utf8)) { return nil }
                default: values.append(.word(word()))
                }
            }
            return nil
        }

        /// Consumes a word up to the comma or bracket that ends it.
        private mutating func word() -> String {
            let start = position
            var depth = 0
            while position < bytes.count {
                switch bytes[position] {
                case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "<"), UInt8(ascii: "("): depth += 1
                case UInt8(ascii: ")") where depth == 0, UInt8(ascii: ",") where depth == 0:
                    return String(decoding: bytes[start..<position], as: UTF8.self)
                case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ">"), UInt8(ascii: ")"): depth -= 1
                case UInt8(ascii: "\""):
                    _ = quoted()
                    continue
                default: break
                }
                position += 1
            }
            return String(decoding: bytes[start..<position], as: UTF8.self)
        }

        /// Consumes a C string literal, starting at its opening quotation mark.
        private mutating func quoted() -> [UInt8]? {
            var text: [UInt8] = []
            position += 1
            while position < bytes.count {
                let byte = bytes[position]
                position += 1
                switch byte {
                case UInt8(ascii: "\""): return text
                case UInt8(ascii: "\\"):
                    guard let escaped = escaped() else { return nil }
                    text.append(escaped)
                default: text.append(byte)
                }
            }
            return nil
        }

        private mutating func escaped() -> UInt8? {
            guard position < bytes.count else { return nil }
            var value = 0
            var digits = 0
            while digits < 3, position < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(bytes[position])
            {
                value = value * 8 + Int(bytes[position] - UInt8(ascii: "0"))
                position += 1
                digits += 1
            }
            if digits > 0 { return UInt8(truncatingIfNeeded: value) }
            defer { position += 1 }
            switch bytes[position] {
            case UInt8(ascii: "n"): return 10
            case UInt8(ascii: "t"): return 9
            case UInt8(ascii: "r"): return 13
            case UInt8(ascii: "v"): return 11
            case UInt8(ascii: "f"): return 12
            default: return bytes[position]
            }
        }
    }
}
