import PluginCore
import Testing

@Suite("Action parameters", .tags(.small))
struct ActionParametersTests {
    private let parameters: ActionParameters = ["name": "Ann", "age": 30, "text": "7"]

    @Test("A parameter is returned as the requested type, also from a text, because every value of a URL is one")
    func typed() throws {
        #expect(try parameters.require("name", as: String.self) == "Ann")
        #expect(try parameters.require("age", as: Int.self) == 30)
        #expect(try parameters.require("text", as: Int.self) == 7)
    }

    @Test("The error for a missing or mistyped parameter names the parameter, the required type and the value")
    func refused() {
        let missing = #expect(throws: AtriumError.self) { try parameters.require("city", as: String.self) }
        #expect(missing?.code == .parameterMissing && missing?.subject == "city")
        let mistyped = #expect(throws: AtriumError.self) { try parameters.require("name", as: Int.self) }
        #expect(mistyped?.description == "parameterType: name (textForType(text: Ann, type: Int))")
    }

    @Test("The error for an async closure names the compiler setting in which two packages differ")
    func closureSettings() throws {
        let concurrent: @concurrent @Sendable (String) async -> Void = { _ in }
        let error = #expect(throws: AtriumError.self) {
            try ActionParameters(["done": concurrent]).require("done", as: (@Sendable (String) async -> Void).self)
        }
        #expect(error?.code == .parameterType && error?.reason?.name == "settingsDiffer")
        let other = #expect(throws: AtriumError.self) {
            try ActionParameters(["done": 5]).require("done", as: (@Sendable (Int) async -> Void).self)
        }
        #expect(other?.reason?.name == "valueForType")
    }
}
