import FoundationEssentials
import PluginCore
import Testing

@Suite("Decoding parameters into a structure", .tags(.small))
struct DecodedParametersTests {
    struct Search: Decodable, Hashable {
        var text: String
        var page: Int
        var exact: Bool?
        var tags: [String]
        var id: UUID?
    }

    private static let id = UUID()

    @Test("The query of a page is decoded into typed properties")
    func query() throws {
        let uri = try ResourceURI("app://shop/search?text=lamp+1&tags=red&page=2&tags=new%26&exact=true&id=\(Self.id)")
        let search = try ResourceRequest(uri: uri, name: "search").decode(Search.self)
        let tags = ["red", "new&"]
        #expect(search == Search(text: "lamp+1", page: 2, exact: true, tags: tags, id: Self.id))
    }

    @Test("Captures take precedence over the query, and the query over user info")
    func precedence() throws {
        let request = ResourceRequest(
            uri: try ResourceURI("app://shop?page=2&text=query"), name: "search", captures: ["text": "capture"],
            userInfo: ["page": 3, "tags": ["a", "b"], "id": Self.id, "exact": "false"]
        )
        let expected = Search(text: "capture", page: 2, exact: false, tags: ["a", "b"], id: Self.id)
        #expect(try request.decode() == expected)
        #expect(try ActionParameters(["numbers": ["1", "2"]]).decode() == Numbers(numbers: [1, 2]))
    }

    struct Numbers: Decodable, Hashable { var numbers: [Int] }

    struct Files: Decodable, Hashable { var rest: [String] }

    @Test("The segments of a double-star wildcard are decoded into the property rest")
    func rest() throws {
        let request = ResourceRequest(uri: try ResourceURI("files/a/b"), name: "files", rest: ["a", "b"])
        #expect(try request.decode() == Files(rest: ["a", "b"]))
    }

    @Test(
        "The error for a missing or mistyped parameter names the parameter",
        arguments: [
            (["page": 1, "tags": [String]()], .parameterMissing, "text", "valueMissing(type: String)"),
            (["text": "a", "page": "x"], .parameterType, "page", "textForType(text: x, type: Int)"),
            (["text": "a", "page": 1.5], .parameterType, "page", "valueForType(expected: Int, found: Double)"),
            (
                ["text": "a", "page": 1, "exact": "yes"], .parameterType, "exact",
                "textForType(text: yes, type: Bool)"
            ),
            (
                ["text": "a", "page": 1, "tags": "x"], .parameterType, "tags",
                "textForArray(text: x)"
            ),
            (["text": "a", "page": 1, "id": "x"], .parameterType, "id", "textForType(text: x, type: UUID)"),
        ] as [(ActionParameters, AtriumError.Code, String, String)]
    )
    func errors(parameters: ActionParameters, code: AtriumError.Code, subject: String, detail: String) {
        let error = #expect(throws: AtriumError.self) { try parameters.decode(Search.self) }
        #expect(error?.code == code)
        #expect(error?.subject == subject)
        #expect(error?.reason?.description == detail)
    }
}
