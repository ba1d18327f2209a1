internal import CSystem
#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The one door to the Swift runtime's own demangler.
enum Demangling {
    /// Longer names are shown as they are.
    private static let limit = 512
    /// And so are those that might become longer by so many times.
    private static let growthLimit = 1024

    /// A symbol's name as its author wrote it; `nil` for one that is not Swift's, and for one of which the runtime might make
    /// gigabytes.
    static func swiftName(of symbol: String) -> String? {
        guard symbol.hasPrefix("$s"), symbol.utf8.count <= limit, growth(of: symbol) <= growthLimit,
            let text = csystem_demangle(symbol)
        else { return nil }
        defer { free(text) }
        return String(cString: text)
    }

    /// By how much a name can grow at most when what it abbreviates is written out (swift/docs/ABI/Mangling.rst,
    /// "Substitutions").
    ///
    /// `A` stands for something that came before, which may hold an `A` in turn, and that may go on; a number says how often.
    /// Those within words count too, where they abbreviate nothing.
    private static func growth(of symbol: String) -> Int {
        let text = Array(symbol.utf8)
        var growth = 1
        for (place, letter) in text.enumerated() where letter == UInt8(ascii: "A") || letter == UInt8(ascii: "S") {
            var rest = text[(place + 1)...]
            var isEnded = false
            while !isEnded {
                let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
                rest = rest.dropFirst(digits.count)
                let count = digits.isEmpty ? 1 : Int(String(decoding: digits, as: UTF8.self)) ?? .max
                growth *= min(count, growthLimit) + (letter == UInt8(ascii: "A") ? 1 : 0)
                guard growth <= growthLimit else { return growth }
                // A small letter behind `A` is followed by more of them.
                let next = rest.popFirst() ?? 0
                isEnded = letter != UInt8(ascii: "A") || !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains(next)
            }
        }
        return growth
    }
}
