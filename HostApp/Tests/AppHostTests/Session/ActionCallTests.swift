import PluginCore
import Testing

@testable import AppHost

@Suite("Action calls on the command line", .tags(.small))
struct ActionCallTests {
    @Test(
        "A call passes its parameters as strings by name",
        arguments: [
            (["Shop", "price"], "Shop.price"), (["Shop", "price", "id=42"], "Shop.price id=42"),
            (["Shop", "price", "b=1=2", "a="], "Shop.price a= b=1=2"),
            (["Shop", "price", "id=1", "id=2"], "Shop.price id=2"),
            (["app://Shop/price?id=42"], "from afar: app://Shop/price?id=42"),
        ]
    )
    func calls(words: [String], expected: String) async throws {
        #expect(try await ActionCall(words).perform(by: StubMediator()) as? String == expected)
    }

    @Test(
        "An incomplete or malformed call is rejected",
        arguments: [
            ([], .targetUnknown), (["Shop"], .actionUnknown), (["Shop", "id=42"], .actionUnknown),
            (["Shop", "price", "42"], .parameterMissing), (["Shop", "price", "=42"], .parameterMissing),
            (["app://%"], .uriMalformed), (["app://Shop/price", "x"], .parameterMissing),
        ] as [([String], AtriumError.Code)])
    func refused(words: [String], code: AtriumError.Code) {
        let error = #expect(throws: AtriumError.self) { try ActionCall(words) }
        #expect(error?.code == code)
    }
}
