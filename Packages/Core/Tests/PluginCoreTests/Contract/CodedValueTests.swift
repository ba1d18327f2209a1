import FoundationEssentials
import PluginCore
import Testing

@Suite("Output of a contract", .tags(.small))
struct CodedValueTests {
    private enum Shop {
        struct Item: Codable, Hashable, Sendable {
            var name: String
            var prices: [String: Double]
            var parent: [Item]
        }
    }

    private enum Caller {
        struct Item: Codable, Hashable, Sendable {
            var name: String
            var prices: [String: Double]
            var parent: [Item]
        }
    }

    @Test("A type of which both sides have a copy passes as an encoded value")
    func copies() throws {
        let contract = RouteContract<NoValue, Shop.Item>("item", .object)
        let theirs = Shop.Item(
            name: "lamp \u{1F4A1}", prices: ["a": 0.1],
            parent: [Shop.Item(name: "", prices: [:], parent: [])])
        let output = try Resource.output(of: contract, theirs)
        let object: (any Sendable)? = if case .object(let object) = output { object } else { nil }
        let coded = try #require(object as? CodedValue)
        let mine = try coded.value(as: Caller.Item.self)
        #expect(mine.name == theirs.name && mine.prices == theirs.prices && mine.parent.map(\.name) == [""])
        #expect(try CodedValue(mine) == coded)
    }

    @Test("A standard-library type passes unchanged")
    func itself() throws {
        func object<T: Codable & Sendable>(_ value: T) throws -> any Sendable {
            guard case .object(let object) = try Resource.output(of: RouteContract<NoValue, T>("x", .object), value)
            else { return "a page" }
            return object
        }
        #expect(try object(42) as? Int == 42)
        #expect(try object(["a": [1.5]]) as? [String: [Double]] == ["a": [1.5]])
        #expect(try object(String?.none) is String?)
        #expect(try object(NoValue()) is Void)
        #expect(try object(UUID()) is CodedValue)
    }

    @Test("A value that JSON cannot represent, or of another type, is rejected")
    func refused() throws {
        let infinite = Shop.Item(name: "", prices: ["a": .infinity], parent: [])
        #expect(errorCode { try CodedValue(infinite) } == .resultType)
        let other = #expect(throws: AtriumError.self) { try CodedValue(["name": "x"]).value(as: Caller.Item.self) }
        #expect(other?.code == .resultType && other?.reason?.description.contains("prices") == true)
    }
}
