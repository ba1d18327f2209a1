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

    @Test(
        "The error for a missing or mistyped parameter names the parameter",
        arguments: [
            (["page": 1, "tags": [String]()], .parameterMissing, "text", "valueMissing(type: String)"),
            (["text": "a", "page": "x"], .parameterType, "page", "textForType(text: x, type: Int)"),
            (["text": "a", "page": 1.5], .parameterType, "page", "valueForType(expected: Int, found: Double)"),
            (["text": "a", "page": 1, "exact": "yes"], .parameterType, "exact", "textForType(text: yes, type: Bool)"),
            (["text": "a", "page": 1, "tags": "x"], .parameterType, "tags", "textForArray(text: x)"),
            (["text": "a", "page": 1, "id": "x"], .parameterType, "id", "textForType(text: x, type: UUID)"),
        ] as [(ActionParameters, AtriumError.Code, String, String)]
    )
    func errors(parameters: ActionParameters, code: AtriumError.Code, subject: String, detail: String) {
        let error = #expect(throws: AtriumError.self) { try parameters.decode(Search.self) }
        #expect(error?.code == code && error?.subject == subject)
        #expect(error?.reason?.description == detail)
    }
}
