import HostSystem
import Console
import PluginCore
import Testing

@testable import AppHost

@Suite("Listings of routes", .tags(.medium))
struct RouteListingTests {
    @Test("A listing that was written is read back unchanged")
    func roundTrip() throws {
        let folder = try TemporaryFolder()
        let listing = RouteListing(
            [
                .sample("shop"), .sample("shop/:id", layout: "help/about", interceptors: ["Account.requireSignIn"]),
                .sample(
                    "", source: "bundle.json", deadline: 2.5, mayDecline: true, parameters: "id=42", isInstalled: false),
            ], fallbacks: [.init(of: "shop/**", to: "app://shop/lost")])
        #expect(try RouteListing.read(folder.write(listing.json.text(), to: "old.json")) == listing)
    }

    @Test("A listing does not depend on the order of the routes")
    func order() {
        let lines = [RouteListing.Line.sample("b"), .sample("a"), .sample("a", source: "bundle.json")]
        #expect(RouteListing(lines) == RouteListing(lines.reversed()))
        #expect(RouteListing(lines).lines.map(\.source) == ["bundle.json", "manifest", "manifest"])
    }

    @Test("A file that is not a listing is rejected, and one of an unknown format version with the reason")
    func foreign() throws {
        let folder = try TemporaryFolder()
        func error(of text: String) throws -> AtriumError? {
            let path = try folder.write(text, to: "old.json")
            return #expect(throws: AtriumError.self) { try RouteListing.read(path) }
        }
        for text in ["", "[]", "{\"routes\": []}", "not JSON"] { _ = try error(of: text) }
        let newer = try error(of: "{\"formatVersion\": 2, \"routes\": []}")
        #expect(newer?.code == .documentInvalid && newer?.reason?.description == "formatExpected(expected: 1)")
    }

    @Test("The text shows every route with its owner, exposure and interceptors, and marks missing bundles")
    func text() {
        let listing = RouteListing([
            .sample("shop", exposure: "external"),
            .sample("orders", owner: "com.example.orders", interceptors: ["Account.requireSignIn", "audit"]),
            .sample("old", source: "bundle.json", parameters: "id=1", isInstalled: false),
        ])
        #expect(
            listing.text(for: .plain) == """
                PATTERN  KIND  EXPOSURE  PRIORITY  OWNER                             SERVES                   INTERCEPTORS
                old      page  plugins          0  com.example.shop (not installed)  page?id=1 (bundle.json)  -
                orders   page  plugins          0  com.example.orders                page                     Account.requireSignIn, audit
                shop     page  external         0  com.example.shop                  page                     -

                """)
        #expect(RouteListing([]).text(for: .plain) == "No routes.\n")
    }
}

extension RouteListing.Line {
    static func sample(
        _ pattern: String, source: String = "manifest", kind: String = "page", owner: String = "com.example.shop",
        name: String = "page", layout: String? = nil, exposure: String = "plugins", priority: Int = 0,
        interceptors: [String] = [], deadline: Double? = nil, mayDecline: Bool = false, parameters: String = "",
        isInstalled: Bool = true
    ) -> RouteListing.Line {
        RouteListing.Line(
            pattern: pattern, source: source, kind: kind, owner: owner, name: name, layout: layout, exposure: exposure,
            priority: priority, interceptors: interceptors, deadline: deadline, mayDecline: mayDecline,
            parameters: parameters, isInstalled: isInstalled)
    }
}
