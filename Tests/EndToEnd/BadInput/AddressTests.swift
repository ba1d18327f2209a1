import PluginCore
import PluginTestKit
import Testing

@Suite("Opening an address that cannot be opened", .tags(.large))
struct AddressTests {
    private static let addresses: [(text: String, status: Int32, code: String, words: String)] = [
        // Addresses of installed plugins and of offered ones.
        ("app://shp/item/42", 66, "routeUnknown", #"; did you mean "app://shop/item/42"?"#),
        ("app://shop/giff", 66, "routeUnknown", #"; did you mean "app://shop/gift" or "app://photos/giff"?"#),
        ("ftp://example.com/", 66, "routeUnknown", #"no plugin handles "ftp://example.com/""#),
        ("%2e%2e", 66, "routeUnknown", #"no plugin handles "%2e%2e""#),
        ("app://shop/%00", 65, "uriMalformed", "a NUL character in \"%00\" (path)"),
        ("app://shop/item?from=%4", 65, "uriMalformed", "hexadecimal digits in \"%4\" (query)"),
        ("app://shop/price/42", 65, "routeKind", "it is the address of an object"),
        // There is no terminal to ask on.
        ("mailto:ada@example.com", 77, "systemLinkDenied", "the user has to allow it"),
    ]

    @Test(
        "An address that is unknown, malformed or of another kind says so with the nearest ones, and installs nothing",
        arguments: [false, true])
    func refused(isAnotherInstalled: Bool) async throws {
        let scene = try Scene()
        if isAnotherInstalled { try await scene.run("install", Scene.account) }
        for (text, status, code, words) in Self.addresses {
            let refusal = try await scene.refuses(["open", text], status: status, code: code, saying: words)
            #expect(refusal.subject == text)
        }
    }
}
