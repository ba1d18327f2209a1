import FoundationEssentials
import PluginCore
import PluginRouter
import Testing

/// A property of each type that a contract supports.
private struct Everything: Codable, Hashable, Sendable {
    enum Suit: String, Codable, CaseIterable, Sendable { case hearts, spades }
    enum Level: Int8, Codable, CaseIterable, Sendable { case low = -1, high = 1 }

    var n1: String
    var n2: Int
    var n3: Double?
    var rest: [String]
    var bool: Bool
    var text: String
    var optionalText: String?
    var int: Int
    var int8: Int8
    var int16: Int16
    var int32: Int32
    var int64: Int64
    var uint: UInt
    var uint8: UInt8
    var uint16: UInt16
    var uint32: UInt32
    var uint64: UInt64
    var double: Double
    var float: Float
    var suit: Suit
    var level: Level?
    var uuid: UUID
    var date: Date
    var link: URL?
    var texts: [String]
    var numbers: [Double]
    var flags: Set<Bool>
    var suits: [Suit]?
}

@Suite("Contracts with random values", .tags(.small))
struct ContractLawTests {
    private static let patterns = [
        "shop", "shop/:n1", "shop/:n1/:n2<int>", "shop(/:n1)/x(/:n3<double>)", "shop/:{n1}.:{n2}", "shop/**",
        "shop/:n2(/**)", ":n1/:n2/**", "web://shop/v:n2#/:n1/**", "shop/:int<int>/:uint64<int>", "shop/:uuid<uuid>",
        "shop/:bool<bool>/:double<double>", "shop/:suit/:level", "shop/:{n2}-:{text}", ":texts", "shop/**texts",
        "shop/**numbers", "shop/:n1(/:optionalText)(/v:level)", "shop/**text", "shop/:date/:link",
    ]

    @Test("A created address matches its contract and decodes to an equal value", arguments: 0..<20 as Range<UInt64>)
    func law(seed: UInt64) throws {
        var dice = Dice(seed: 6000 + seed)
        var (printed, refused) = (0, 0)
        for _ in 0..<100 {
            let text = dice.one(of: Self.patterns)
            let pattern = try RoutePattern(text)
            let contract = PageRoute<Everything>(text, scheme: dice.isLucky(0.5) ? "app" : nil)
            let value = Self.value(&dice)
            let hint: Comment = "\(text) with \(value)"
            do {
                let uri = try pattern.address(contract.parts(of: value), scheme: contract.route.scheme)
                let captures = try #require(pattern.captures(from: ResourceURI(uri.text)), hint)
                let request = ResourceRequest(
                    uri: uri, name: "", captures: captures.values, rest: captures.rest?.segments ?? [])
                #expect(try contract.input(of: request) == value, hint)
                printed += 1
            } catch let error as AtriumError {
                #expect([.parameterMissing, .parameterType].contains(error.code), "\(error) for \(hint)")
                #expect(error.reason != nil)
                refused += 1
            }
        }
        #expect(printed > 40 && refused > 5, "\(printed) printed, \(refused) refused")
    }

    @Test("A contract knows the names that its pattern captures", arguments: 0..<10 as Range<UInt64>)
    func names(seed: UInt64) throws {
        var dice = Dice(seed: 7000 + seed)
        for _ in 0..<300 {
            for text in [dice.pattern(), dice.noise()] {
                guard let pattern = try? RoutePattern(text) else { continue }
                let segments = pattern.expansions.flatMap { $0.path + ($0.fragment ?? []) }
                var (captures, rest) = (Set<String>(), String?.none)
                for segment in segments {
                    switch segment {
                    case .capture(let name), .typed(let name, _): captures.insert(name)
                    case .partial(let partial): captures.formUnion(partial.names)
                    case .rest(let name): rest = name
                    case .literal, .any: continue
                    }
                }
                let contract = PageRoute<NoValue>(text)
                #expect(contract.route.captureNames == captures.sorted(), "\(text)")
                #expect(contract.route.restName == rest, "\(text)")
            }
        }
    }

    private static func value(_ dice: inout Dice) -> Everything {
        func integer<T: FixedWidthInteger>(_ dice: inout Dice, _ type: T.Type = T.self) -> T {
            switch dice.count(0...3) {
            case 0: T.min
            case 1: T.max
            default: T.random(in: T.min...T.max, using: &dice)
            }
        }
        func texts(_ dice: inout Dice) -> [String] { (0..<dice.count(0...3)).map { _ in text(&dice) } }
        func text(_ dice: inout Dice) -> String {
            switch dice.count(0...60) {
            case 0: ""
            case 1: "\0"
            case 2...20: dice.one(of: ["a/b", "a.b", "%2F", "é", "e\u{301}", "+", "a&b=c", "app://x", "#?", " "])
            default: dice.one(of: ["a", "b", "42", "true"])
            }
        }
        func number(_ dice: inout Dice) -> Double {
            switch dice.count(0...200) {
            case 0: .nan
            case 1...50: .leastNonzeroMagnitude
            case 51...100: .greatestFiniteMagnitude
            default: Double(dice.count(-99...99)) / 7
            }
        }
        return Everything(
            n1: text(&dice), n2: integer(&dice), n3: dice.isLucky(0.5) ? number(&dice) : nil, rest: texts(&dice),
            bool: dice.isLucky(0.5), text: text(&dice), optionalText: dice.isLucky(0.5) ? text(&dice) : nil,
            int: integer(&dice), int8: integer(&dice), int16: integer(&dice), int32: integer(&dice),
            int64: integer(&dice), uint: integer(&dice), uint8: integer(&dice),
            uint16: integer(&dice), uint32: integer(&dice), uint64: integer(&dice),
            double: number(&dice), float: Float(number(&dice).significand), suit: dice.isLucky(0.5) ? .hearts : .spades,
            level: dice.isLucky(0.5) ? .low : nil, uuid: UUID(),
            date: Date(timeIntervalSinceReferenceDate: Double(dice.count(-99...99)) / 7),
            link: dice.isLucky(0.5) ? URL(string: "https://a.example/b?c=d&e#f") : nil, texts: texts(&dice),
            numbers: (0..<dice.count(0...2)).map { _ in number(&dice) }, flags: dice.isLucky(0.5) ? [true] : [],
            suits: dice.isLucky(0.1) ? [] : dice.isLucky(0.5) ? [.spades, .hearts] : nil
        )
    }
}
