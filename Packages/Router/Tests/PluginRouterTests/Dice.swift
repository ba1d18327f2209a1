/// Reproducible random numbers and texts.
struct Dice: RandomNumberGenerator {
    private var numbers: SplitMix

    init(seed: UInt64) { numbers = SplitMix(seed: seed) }

    mutating func next() -> UInt64 { numbers.next() }

    mutating func one(of pieces: [String]) -> String { pieces[Int.random(in: 0..<pieces.count, using: &self)] }
    mutating func isLucky(_ chance: Double) -> Bool { Double.random(in: 0..<1, using: &self) < chance }
    mutating func count(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

    /// Returns a text with many special characters of patterns and addresses, usually in the wrong places.
    mutating func noise() -> String {
        let pieces = [
            "/", "/", ":", "a", "b", "x", "<int>", "*", "**", "(", "(/", ")", "{", "}", ":{x}", ":y", "#", "?", "%",
            "%2F",
            "%00", "%C3", "\u{301}", "é", "😀", "://", "app://", "&", "=", "1", ".", "\0", "<", ">", " ",
        ]
        return (0..<count(0...14)).map { _ in one(of: pieces) }.joined()
    }

    /// Returns a pattern that is likely to be well-formed and to match a random address.
    mutating func pattern() -> String {
        var used = 0
        func name() -> String {
            used += 1
            return "n\(used)"
        }
        var text = isLucky(0.2) ? one(of: ["app://", "web://", "APP://"]) : ""
        text += path(name)
        if isLucky(0.2) { text += "#" + path(name) }
        return text
    }

    private mutating func path(_ name: () -> String) -> String {
        var text = ""
        var isFirst = true
        for _ in 0..<count(0...4) {
            let isGroup = isLucky(0.2)
            text += isGroup ? "(/" : isFirst ? "" : "/"
            text += segment(name)
            if isGroup { text += ")" }
            isFirst = false
        }
        if isLucky(0.15) { text += (isFirst ? "" : "/") + "**" }
        return text
    }

    private mutating func segment(_ name: () -> String) -> String {
        switch count(0...9) {
        case 0...3: one(of: ["a", "b", "A", "a.b", "1", "%61", "true"])
        case 4: ":" + name()
        case 5: ":\(name())<\(one(of: ["int", "double", "bool", "string"]))>"
        case 6: "*"
        case 7: ":{\(name())}.:{\(name())}"
        case 8: "a:{\(name())}"
        default: ":{\(name())}\(one(of: ["", ".b", "b"])):{\(name())}"
        }
    }

    mutating func address() -> String {
        func path(_ dice: inout Dice) -> String {
            (0..<dice.count(0...4)).map { _ in
                dice.one(of: ["a", "b", "A", "a.b", "a.b.b", "ab", "aé", "1", "1.5", "true", "%61", "", "%2F", "x.b"])
            }.joined(separator: "/")
        }
        var text = isLucky(0.5) ? one(of: ["app://", "web://", "App://", "app:///"]) : ""
        text += path(&self)
        if isLucky(0.3) { text += "?k=" + one(of: ["v", "%2F"]) }
        if isLucky(0.3) { text += "#" + path(&self) }
        return text
    }
}
