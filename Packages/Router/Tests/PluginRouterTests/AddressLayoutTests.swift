import PluginCore
import Testing

@testable import PluginRouter

@Suite("Cutting an address by words")
struct AddressLayoutTests {
    /// Texts of all lengths around that of a word and of 64 bytes, with much of what has a meaning.
    private static func text(_ dice: inout Dice) -> String {
        var text = dice.isLucky(0.3) ? dice.one(of: ["a://", "app://", "app:///", "a+b.c-1://", "1a://", "://"]) : ""
        let length = dice.count(0...90)
        let escapes = dice.isLucky(0.3) ? ["%41", "%C3%A9", "%2F", "%C3", "%0", "%00"] : ["%41", "%c3%a9", "%2F"]
        while text.utf8.count < length {
            text += dice.one(of: [
                "/", "/", "abc", "segment", "x", "é", "😀", dice.isLucky(0.1) ? "?" : "-", dice.isLucky(0.1) ? "#" : ".",
                dice.isLucky(0.05) ? dice.one(of: escapes) : "o", dice.isLucky(0.1) ? "://" : "+",
                dice.isLucky(0.01) ? "\0" : "~",
                "\u{AF}\u{A5}\u{BF}", "!",
            ])
        }
        return text
    }

    @Test("finds the same parts as Core's layout", arguments: 0..<5 as Range<UInt64>)
    func sameParts(seed: UInt64) throws {
        var dice = Dice(seed: 4000 + seed)
        for _ in 0..<1_000 {
            let text = dice.isLucky(0.2) ? dice.noise() : Self.text(&dice)
            let expected = URILayout(of: text.utf8.span)
            text.utf8.span.withUnsafeBufferPointer { bytes in
                bytes.withPadding { bytes in
                    let layout = AddressLayout(bytes)
                    let hint = Comment(rawValue: text.debugDescription)
                    #expect(layout.schemeLength == expected.scheme?.count ?? 0, hint)
                    #expect(layout.path.range == expected.path, hint)
                    #expect(layout.hasAuthority == expected.hasAuthority, hint)
                    #expect(layout.isPlain == expected.isPlain, hint)
                    #expect(layout.fragment?.range == expected.fragmentPath, hint)
                }
            }
        }
    }

    @Test("walks the segments that Core decodes, forwards and back", arguments: 0..<5 as Range<UInt64>)
    func sameSegments(seed: UInt64) throws {
        var dice = Dice(seed: 5000 + seed)
        var count = 0
        for _ in 0..<500 {
            let text = Self.text(&dice)
            let uri = try? ResourceURI(text)
            text.utf8.span.withUnsafeBufferPointer { bytes in
                bytes.withPadding { bytes in
                    let address = AddressBytes(bytes)
                    if address.layout.isPlain { check(address, uri) }
                    // All text goes this way: an address without escapes decodes to itself.
                    let isWellFormed = address.withDecoded { check($0, uri) } != nil
                    #expect(isWellFormed == (uri != nil), "\(text.debugDescription)")
                }
            }
            if uri != nil { count += 1 }
        }
        #expect(count > 100)
    }

    private func check(_ address: AddressBytes, _ uri: ResourceURI?) {
        #expect(segments(address, address.layout.path) == uri?.segments)
        if let fragment = address.layout.fragment {
            #expect(segments(address, fragment) == uri?.fragmentAddress?.segments)
        } else {
            #expect(uri?.fragment == nil)
        }
    }

    private func segments(_ address: AddressBytes, _ part: AddressPart) -> [String] {
        var segments: [String] = []
        var position = part.start
        while position <= part.upper {
            let end = address.end(of: position, limit: part.upper)
            #expect(address.start(endingAt: end, limit: part.lower) == position)
            segments.append(String(decoding: address.bytes.buffer(position..<end), as: UTF8.self))
            position = end + 1
        }
        return segments
    }
}

@Suite("The packed tree")
struct PackedTreeTests {
    @Test("has nodes as large as a cache line, so that going down a literal reads one")
    func nodeSize() {
        #expect(MemoryLayout<RouteTrie.Node>.stride == 64)
    }
}

extension AddressPart {
    fileprivate var range: Range<Int> { lower..<upper }
}
