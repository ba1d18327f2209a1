import PluginCore
import Testing

@testable import AppHost

@Suite("A link as it is shown and passed on", .tags(.small))
struct SystemLinkTests {
    private func link(_ text: String) throws -> SystemLink { try #require(SystemLink(ResourceURI(text))) }

    @Test(
        "names the server, whatever is in front of it",
        arguments: [
            ("https://example.com/a?b=c#d", "example.com"), ("https://bank.example@evil.example/x", "evil.example"),
            ("HTTPS://a:b@evil.example:8080", "evil.example:8080"),
            ("https://bank.example%2F@evil.example", "evil.example"),
            ("https://evil.example\\@bank.example/", "bank.example"),
        ])
    func server(text: String, server: String) throws {
        #expect(try link(text).server == server)
        #expect(try link(text).scheme == "https")
        #expect(try !link(text).hasInternationalServer)
    }

    @Test("is ASCII without spaces and quotation marks, so that nothing in it can look like something else")
    func ascii() throws {
        // A Cyrillic letter, a right-to-left override, a quotation mark, a space and an escape character.
        let link = try link("https://\u{0430}pple.example/\u{202E}gpj\"x y\u{1B}[2J")
        #expect(link.text == "https://%D0%B0pple.example/%E2%80%AEgpj%22x%20y%1B[2J")
        #expect(link.hasInternationalServer)
        #expect(try self.link("https://xn--pple-43d.example/").hasInternationalServer)
    }

    @Test("has a scheme without an authority, too")
    func opaque() throws {
        let mail = try link("mailto:ada@example.com?subject=Hello")
        #expect(mail.scheme == "mailto" && mail.server == nil && mail.text == "mailto:ada@example.com?subject=Hello")
        #expect(try link("TEL:+4930123").scheme == "tel")
        #expect(try SystemLink(ResourceURI("shop/item/42")) == nil)
        #expect(try SystemLink(ResourceURI("4a:b")) == nil)
    }
}
