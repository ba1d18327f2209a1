import FoundationEssentials
import PluginCore
import Testing

@Suite("Input of a contract", .tags(.small))
struct InputCodingTests {
    enum Sort: String, Codable, CaseIterable, Sendable { case price, name }

    struct Search: Codable, Hashable, Sendable {
        var id: Int
        var path: [String] = []
        var text: String?
        var tags: [String] = []
        var sort: Sort?
        var link: URL?
        var weight: Double?
    }

    private static let contract = PageRoute<Search>("shop/:id(/**path)")

    /// Returns the request that a router creates for printed parts.
    private func request(_ parts: AddressParts) throws -> ResourceRequest {
        let uri = try ResourceURI("app://shop?" + parts.query.encoded)
        let captures = URIParameters(parts.captures.map { URIParameters.Item(name: $0.key, value: $0.value) })
        return ResourceRequest(uri: uri, name: "item", captures: captures, rest: parts.rest)
    }

    @Test("An input becomes captures and segments where the pattern names them, and an ordered query otherwise")
    func places() throws {
        let link = try #require(URL(string: "https://a.example/b?c=d"))
        let search = Search(
            id: 42, path: ["a", "b/c"], text: "", tags: ["red", "new"], sort: .name, link: link, weight: 0.1)
        let parts = try Self.contract.parts(of: search)
        #expect(parts.captures == ["id": "42"])
        #expect(parts.rest == ["a", "b/c"])
        let query = [
            ("text", ""), ("tags", "red"), ("tags", "new"), ("sort", "name"), ("link", link.absoluteString),
            ("weight", "0.1"),
        ]
        #expect(parts.query.items == query.map { URIParameters.Item(name: $0.0, value: $0.1) })
        #expect(try Self.contract.input(of: request(parts)) == search)
    }

    @Test("An input is decoded from captures, then from the query, and never from user info")
    func precedence() throws {
        let contract = PageRoute<Search>("shop(/:id)(/**path)")
        let uri = try ResourceURI("app://lamps?id=7&path=q&path=r")
        let captured = ResourceRequest(uri: uri, name: "item", captures: ["id": "42"], rest: ["a"])
        #expect(try contract.input(of: captured) == Search(id: 42, path: ["a"]))
        // The request as a composition rule creates it, without captures.
        let ruled = ResourceRequest(uri: uri, name: "item")
        #expect(try contract.input(of: ruled) == Search(id: 7, path: ["q", "r"]))
        let request = ResourceRequest(uri: try ResourceURI("app://shop"), name: "item", userInfo: ["id": 8])
        let error = #expect(throws: AtriumError.self) { try contract.input(of: request) }
        #expect(error?.code == .parameterMissing && error?.subject == "id")
    }

    @Test("A decoding error names the parameter, the value and the required type")
    func decodingErrors() throws {
        func error(_ captures: URIParameters, _ query: String) throws -> AtriumError? {
            let uri = try ResourceURI("app://shop?" + query)
            let request = ResourceRequest(uri: uri, name: "item", captures: captures)
            return #expect(throws: AtriumError.self) { try Self.contract.input(of: request) }
        }
        func check(_ error: AtriumError?, _ code: AtriumError.Code, _ subject: String, _ detail: String) {
            #expect(error?.code == code && error?.subject == subject)
            #expect(error?.reason?.description == detail)
        }
        check(try error([:], ""), .parameterMissing, "id", "valueMissing(type: Int)")
        check(try error(["id": "one"], ""), .parameterType, "id", "textForType(text: one, type: Int)")
        check(try error(["id": "1"], "weight=nan"), .parameterType, "weight", "textForType(text: nan, type: Double)")
        let sort = try error(["id": "1"], "sort=prise")
        check(sort, .parameterType, "sort", "textForChoice(choices: [price, name], text: prise, type: Sort)")
        #expect(sort?.nearest == ["price"])
    }

    struct Nested: Codable, Sendable {
        struct Point: Codable, Sendable { var x = 1 }
        struct Nothing: Codable, Sendable {}
        var point: Point?
        var nothing: Nothing?
        var lists: [[Int]]?
        var gaps: [Int?]?
        var empty: [Int]?
        var number: Double?
        var id: [Int]?
        var path: Int?
    }

    @Test("An encoding error names the parameter and the reason")
    func encodingErrors() throws {
        let contract = PageRoute<Nested>("shop(/:id)(/**path)")
        let rows: [(Nested, String, String)] = [
            (Nested(point: .init()), "point", "structureInAddress"),
            (Nested(nothing: .init()), "nothing", "structureInAddress"),
            (Nested(lists: [[1]]), "lists", "listInList"), (Nested(gaps: [1, nil]), "gaps", "listWithGaps"),
            (Nested(empty: []), "empty", "emptyOptionalList"),
            (Nested(number: .infinity), "number", "notFinite(found: inf)"),
            (Nested(id: [1]), "id", "singleTextExpected"), (Nested(path: 1), "path", "segmentsExpected"),
        ]
        for (input, subject, reason) in rows {
            let error = #expect(throws: AtriumError.self) { try contract.parts(of: input) }
            #expect(error?.code == .parameterType && error?.subject == subject && error?.reason?.description == reason)
        }
    }

    @Test("An input that is a single value takes the pattern's only name")
    func single() throws {
        let one = ValueRoute<Int, Int>("shop/price/:id")
        #expect(try one.parts(of: 42).captures == ["id": "42"])
        #expect(try one.input(of: request(one.parts(of: 42))) == 42)
        let list = PageRoute<[Sort]>("shop/**sorts")
        #expect(try list.parts(of: [.name, .price]).rest == ["name", "price"])
        #expect(try list.input(of: request(list.parts(of: [.name, .price]))) == [.name, .price])
        let maybe = PageRoute<UUID?>("shop(/:id)")
        #expect(try maybe.parts(of: nil) == AddressParts())
        #expect(try maybe.input(of: request(AddressParts())) == nil)
        let none = PageRoute<NoValue>("shop")
        #expect(try none.parts(of: NoValue()) == AddressParts())
        #expect(try none.input(of: request(AddressParts())) == NoValue())
    }

    @Test(
        "An input that is a single value requires a pattern with exactly one name", arguments: ["shop", "shop/:a/:b"])
    func nameless(pattern: String) throws {
        let contract = PageRoute<Int>(pattern)
        #expect(errorCode { try contract.parts(of: 1) } == .parameterType)
        #expect(errorCode { try contract.input(of: request(AddressParts())) } == .parameterType)
    }

    /// A type that rejects some of the values that its properties allow.
    struct Even: Codable, Sendable {
        var n: Int

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            n = try values.decode(Int.self, forKey: .n)
            guard n.isMultiple(of: 2) else {
                throw DecodingError.dataCorruptedError(forKey: .n, in: values, debugDescription: "\(n) is odd")
            }
        }
    }

    @Test("A value that the input type itself rejects is reported as an error of the parameter")
    func custom() throws {
        let contract = PageRoute<Even>("x")
        let request = ResourceRequest(uri: try ResourceURI("x?n=3"), name: "x")
        let error = #expect(throws: AtriumError.self) { try contract.input(of: request) }
        #expect(error?.code == .parameterType && error?.subject == "n" && error?.reason == .verbatim("3 is odd"))
    }
}
