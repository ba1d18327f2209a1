import PluginCore

/// Random input of the kinds at which careless code fails. The same seed yields the same input.
struct Garbage {
    private var generator: SeededGenerator

    /// Texts that a careless reader takes for something else.
    private static let texts = [
        "", " ", "1e400", "-0.0", "NaN", "inf", "0x10", "true", "null", "nil", "[]", "{}",
        "..", "../../../etc/passwd", "/", "//", "\\", "'", "\"", "'; DROP TABLE notes; --", "%", "%00", "%s%n", "{}",
        "{0}",
        "@", "&a=b", "#", "?", "\u{0}", "\u{1}\u{7F}", "\u{1B}[31mred", "\r\n", "\t", "\u{202E}abc", "\u{FEFF}",
        "\u{200D}", "e\u{301}\u{301}\u{301}", "\u{1F469}\u{200D}\u{1F4BB}", "\u{10FFFF}", "\u{FFFD}", "\u{646}\u{5D0}",
    ]

    /// Numbers at the limits of ranges, and texts that only look like numbers.
    private static let numbers = [
        "0", "-1", "2", "3", "100", "-32769", "65536", "2147483648", "-9223372036854775808", "9223372036854775807",
        "99999999999999999999999999", "+1", "007", "1.5", "1e3",
    ]

    /// Escapes that are invalid, or invalid as UTF-8.
    private static let escapes = ["%FF", "%C0%AF", "%ED%A0%80", "%F8%88%80%80%80", "%E2%82", "%", "%4", "%GG", "%00"]

    /// The length of a huge text, which 16 bits cannot count.
    private static let hugeLength = 70_000

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
    }

    /// Returns a random text.
    mutating func text() -> String {
        switch generator.number(below: 8) {
        case 0: return String(repeating: generator.pick(["a", "9", "/", " ", "\u{0}"]), count: Self.hugeLength)
        case 1:
            return String(
                String.UnicodeScalarView(
                    (0..<generator.number(below: 40)).compactMap { _ in
                        Unicode.Scalar(UInt32(generator.number(below: 0x2_0000)))
                    }))
        case 2: return generator.pick(Self.texts) + generator.pick(Self.texts)
        case 3, 4: return generator.pick(Self.numbers)
        default: return generator.pick(Self.texts)
        }
    }

    /// Returns a value that an action can get, of a type that it probably does not expect.
    mutating func value() -> any Sendable {
        switch generator.number(below: 8) {
        case 0: Int.min
        case 1: Double.nan
        case 2: [UInt8](repeating: 0xFF, count: generator.number(below: 1000))
        case 3: ["a": 1] as [String: any Sendable]
        case 4: [text(), text()]
        case 5: ({ () -> Int in 1 }) as @Sendable () -> Int
        default: text()
        }
    }

    /// Returns parameters in which each of some names is missing, random, or as it was.
    mutating func parameters(like sample: [String: String], value: (inout Garbage) -> any Sendable) -> ActionParameters
    {
        var values: [String: any Sendable] = [:]
        for (name, text) in sample.sorted(by: { $0.key < $1.key }) {
            switch generator.number(below: 4) {
            case 0: break
            case 1: values[name] = text
            default: values[name] = value(&self)
            }
        }
        if generator.number(below: 2) == 0 { values[text()] = value(&self) }
        return ActionParameters(values)
    }

    /// Returns the text of an address in which pieces of a valid address are replaced, repeated or left out.
    ///
    /// - Parameter fixed: the positions of the segments that lead to the route, which stay.
    mutating func address(like sample: ResourceURI, keeping fixed: Set<Int>) -> String {
        let text = sample.text
        let (path, query) = text.firstIndex(of: "?").map { (text[..<$0], text[$0...].dropFirst()) } ?? (text[...], "")
        var segments = path.dropFirst("app://".count).split(separator: "/", omittingEmptySubsequences: false)
            .map(String.init)
        for index in segments.indices where !fixed.contains(index) && generator.number(below: 3) > 0 {
            segments[index] = piece()
        }
        var items = query.split(separator: "&").map(String.init)
        for index in items.indices.reversed() {
            let name = items[index].prefix { $0 != "=" }
            switch generator.number(below: 4) {
            case 0: items.remove(at: index)
            case 1: items.append("\(name)=\(piece())")
            default: items[index] = "\(name)=\(piece())"
            }
        }
        if generator.number(below: 2) == 0 { items.append("\(piece())=\(piece())") }
        return "app://" + segments.joined(separator: "/") + (items.isEmpty ? "" : "?" + items.joined(separator: "&"))
    }

    /// Returns a number below a limit.
    mutating func number(below limit: Int) -> Int { generator.number(below: limit) }

    /// Returns an element of a list that is not empty.
    mutating func pick<Element>(_ elements: [Element]) -> Element { generator.pick(elements) }

    private mutating func piece() -> String {
        generator.number(below: 4) == 0 ? generator.pick(Self.escapes) : PercentCoding.encode(text())
    }
}
