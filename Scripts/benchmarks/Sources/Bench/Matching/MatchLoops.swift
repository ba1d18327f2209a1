import PluginCore
import PluginRouter

/// The measured loops, which match every address once and read the value and all captures.
///
/// Each returns a sum, so that the compiler cannot remove any work.
enum MatchLoops {
    /// Addresses in one buffer with their end positions, as in a network buffer.
    struct Bytes {
        private(set) var bytes: [UInt8] = []
        private(set) var ends: [Int] = []

        init(_ addresses: [String]) {
            for address in addresses {
                bytes += address.utf8
                ends.append(bytes.count)
            }
        }
    }

    @inline(never)
    static func bytes(_ matcher: RouteMatcher<Int>, _ addresses: Bytes) throws -> Int {
        var (sum, start) = (0, 0)
        let bytes = addresses.bytes.span
        for end in addresses.ends {
            // The bytes are valid UTF-8, because they were copied from strings.
            let text = UTF8Span(unchecked: bytes.extracting(start..<end))
            sum &+= try matcher.withFirst(for: text, read) ?? 0
            start = end
        }
        return sum
    }

    @inline(never)
    static func texts(_ matcher: RouteMatcher<Int>, _ addresses: [String]) throws -> Int {
        var sum = 0
        for address in addresses { sum &+= try matcher.withFirst(for: address, read) ?? 0 }
        return sum
    }

    @inline(never)
    static func parsed(_ matcher: RouteMatcher<Int>, _ addresses: [ResourceURI]) -> Int {
        var sum = 0
        // A span borrows each element, while the array would copy it.
        let addresses = addresses.span
        for index in addresses.indices { sum &+= matcher.withFirst(for: addresses[index], read) ?? 0 }
        return sum
    }

    @inline(never)
    static func dictionaryTrie(_ trie: DictionaryTrie, _ addresses: [String]) -> Int {
        var sum = 0
        for address in addresses {
            guard let match = trie.first(for: address) else { continue }
            sum &+= match.value
            for capture in match.captures { sum &+= capture.name.utf8.count &+ capture.text.utf8.count }
        }
        return sum
    }

    @inline(__always)
    private static func read(_ match: borrowing RouteMatcher<Int>.MatchView) -> Int {
        var sum = match.value
        match.forEachCapture { sum &+= match.name(of: $0).utf8.count &+ $0.range.count }
        return sum
    }
}
