import FoundationEssentials
import PluginCore
import Testing

@Suite("Output of a contract", .tags(.small))
struct CodedValueTests {
    private struct Item: Codable, Hashable, Sendable {
        var name: String
        var prices: [String: Double]
    }

    @Test("A standard-library type passes unchanged")
    func itself() throws {
        func object<T: Codable & Sendable>(_ value: T) throws -> any Sendable {
            try #require(try ValueRoute<NoValue, T>.resource(of: value).object)
        }
        #expect(try object(42) as? Int == 42)
        #expect(try object(["a": [1.5]]) as? [String: [Double]] == ["a": [1.5]])
        #expect(try object(String?.none) is String?)
        #expect(try object(NoValue()) is Void)
        #expect(try object(UUID()) is CodedValue)
    }

    @Test("A value that JSON cannot represent, or of another type, is rejected")
    func refused() throws {
        let infinite = Item(name: "", prices: ["a": .infinity])
        #expect(errorCode { try CodedValue(infinite) } == .resultType)
        let other = #expect(throws: AtriumError.self) { try CodedValue(["name": "x"]).value(as: Item.self) }
        #expect(other?.code == .resultType && other?.reason?.description.contains("prices") == true)
    }
}
