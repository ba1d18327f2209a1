import FoundationEssentials
import Testing

/// One line of `Fixtures/routing.jsonl`: patterns, an address, and what becomes of it.
struct RoutingCase: Decodable, Sendable, CustomTestStringConvertible {
    let id: String
    let patterns: [String]
    let url: String
    let expect: RoutingOutcome?

    var testDescription: String { id }

    static let all: [RoutingCase] = {
        Fixture.lines(of: "routing.jsonl").compactMap {
            try? JSONDecoder().decode(RoutingCase.self, from: Data($0.utf8))
        }
    }()
}

/// The outcome for an address.
///
/// Texts are kept as bytes, because `==` says that two spellings of a character are equal.
struct RoutingOutcome: Decodable, Hashable, Sendable {
    var pattern: [UInt8]?
    var parameters: [[UInt8]: [UInt8]]?
    var rest: [[UInt8]]?
    var restName: [UInt8]?
    var query: [[[UInt8]]]?
    var error: String?

    private enum Key: String, CodingKey { case pattern, parameters, rest, restName, query, error }

    init(error: String) {
        self.error = error
    }

    init(pattern: String) {
        self.pattern = Array(pattern.utf8)
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Key.self)
        pattern = try fields.decodeIfPresent(String.self, forKey: .pattern).map { Array($0.utf8) }
        let texts = try fields.decodeIfPresent([String: String].self, forKey: .parameters)
        parameters = texts.map { Self.bytes(of: $0) }
        rest = try fields.decodeIfPresent([String].self, forKey: .rest)?.map { Array($0.utf8) }
        restName = try fields.decodeIfPresent(String.self, forKey: .restName).map { Array($0.utf8) }
        query = try fields.decodeIfPresent([[String]].self, forKey: .query)?.map { $0.map { Array($0.utf8) } }
        error = try fields.decodeIfPresent(String.self, forKey: .error)
    }

    static func bytes(of texts: [String: String]) -> [[UInt8]: [UInt8]] {
        Dictionary(uniqueKeysWithValues: texts.map { (Array($0.utf8), Array($1.utf8)) })
    }
}
