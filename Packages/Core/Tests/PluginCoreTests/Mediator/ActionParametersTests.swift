import PluginCore
import Testing

@Suite("Action parameters", .tags(.small))
struct ActionParametersTests {
    private let parameters: ActionParameters = ["name": "Ann", "age": 30, "text": "7"]

    @Test("A parameter is returned as the requested type")
    func typed() throws {
        #expect(try parameters.require("name", as: String.self) == "Ann")
        #expect(try parameters.require("age", as: Int.self) == 30)
    }

    @Test("A string parameter is converted to a number, because every value of a URL is a string")
    func fromText() throws {
        #expect(try parameters.require("text", as: Int.self) == 7)
    }

    @Test("The error for a missing parameter names the parameter")
    func missing() {
        let error = #expect(throws: AtriumError.self) { try parameters.require("city", as: String.self) }
        #expect(error?.code == .parameterMissing)
        #expect(error?.subject == "city")
    }

    @Test("The error for a mistyped parameter names the parameter, the required type and the value")
    func mistyped() {
        let error = #expect(throws: AtriumError.self) { try parameters.require("name", as: Int.self) }
        #expect(error?.code == .parameterType)
        #expect(error?.reason?.description == "textForType(text: Ann, type: Int)")
    }

    @Test("A closure can be passed as a parameter")
    func closure() async throws {
        let double: @Sendable (Int) async -> Int = { $0 * 2 }
        let carried: ActionParameters = ["double": double]
        let taken = try carried.require("double", as: (@Sendable (Int) async -> Int).self)
        #expect(await taken(21) == 42)
    }

    @Test("Captures of a request take precedence over its query, and its query over user info")
    func precedence() throws {
        let request = ResourceRequest(
            uri: try ResourceURI("app://shop?id=query&name=query"), name: "item", captures: ["id": "capture"],
            userInfo: ["id": "info", "name": "info", "extra": "info"]
        )
        #expect(try request.parameters.require("id", as: String.self) == "capture")
        #expect(try request.parameters.require("name", as: String.self) == "query")
        #expect(try request.parameters.require("extra", as: String.self) == "info")
    }

    @Test("The error for an async closure names the compiler setting in which two packages differ")
    func closureSettings() throws {
        let concurrent: @concurrent @Sendable (String) async -> Void = { _ in }
        let error = #expect(throws: AtriumError.self) {
            try ActionParameters(["done": concurrent]).require("done", as: (@Sendable (String) async -> Void).self)
        }
        #expect(error?.code == .parameterType)
        #expect(error?.reason?.name == "valueSettingsDiffer")
        let other = #expect(throws: AtriumError.self) {
            try ActionParameters(["done": 5]).require("done", as: (@Sendable (Int) async -> Void).self)
        }
        #expect(other?.reason?.name == "valueForType")
    }
}
