/// The names of converters in route patterns, for readers that don't know which converters a host registers.
enum ConverterNames {
    /// Returns all texts in angle brackets that can be the name of a converter.
    static func names(in text: String) -> [String] {
        var names: Set<String> = []
        for piece in text.utf8.split(separator: UInt8(ascii: "<")).dropFirst(
            text.utf8.first == UInt8(ascii: "<") ? 0 : 1)
        {
            guard let end = piece.firstIndex(of: UInt8(ascii: ">")), end > piece.startIndex else { continue }
            let name = piece[..<end]
            if name.allSatisfy(isPartOfName) { names.insert(String(Substring(name))) }
        }
        return names.sorted()
    }

    private static func isPartOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
