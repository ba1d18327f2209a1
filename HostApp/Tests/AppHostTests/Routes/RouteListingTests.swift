import Console
import PluginCore
import PluginRouter
import Testing

@testable import AppHost

@Suite("Listings of routes", .tags(.medium))
struct RouteListingTests {
    @Test("A listing does not depend on the order of the routes")
    func order() throws {
        let lines = try [sample("b"), sample("a"), sample("a", source: "bundle.json")]
        #expect(RouteListing(lines).json.text() == RouteListing(lines.reversed()).json.text())
        #expect(RouteListing(lines).lines.map(\.source) == ["bundle.json", "manifest", "manifest"])
    }

    @Test("The text shows every route with its owner, exposure and interceptors, and marks missing bundles")
    func text() throws {
        let listing = try RouteListing([
            sample("shop", exposure: .external),
            sample("orders", owner: "com.example.orders", interceptors: ["Account.requireSignIn", "audit"]),
            sample("old", source: "bundle.json", parameters: "id=1", isInstalled: false),
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

    @Test("The document has all fields of a route, and the fallbacks")
    func document() throws {
        let listing = try RouteListing(
            [
                sample(
                    "", source: "bundle.json", interceptors: ["Account.requireSignIn"], parameters: "id=42",
                    layout: "help/about", deadline: 2.5, mayDecline: true, isInstalled: false)
            ], fallbacks: [("shop/**", "app://shop/lost")])
        let fields =
            #""pattern":"","source":"bundle.json","kind":"page","owner":"com.example.shop","name":"page","layout":"#
            + #""help/about","exposure":"plugins","priority":0,"interceptors":["Account.requireSignIn"],"deadline":2.5,"#
            + #""mayDecline":true,"parameters":"id=42","isInstalled":false"#
        #expect(
            listing.json.text() == #"{"formatVersion":1,"routes":[{"# + fields
                + #"}],"fallbacks":[{"of":"shop/**","to":"app://shop/lost"}],"problems":[]}"#)
    }

    private func sample(
        _ pattern: String, source: String = "manifest", owner: String = "com.example.shop",
        exposure: Exposure = .plugins, interceptors: [String] = [], parameters: String = "", layout: String? = nil,
        deadline: Double? = nil, mayDecline: Bool = false, isInstalled: Bool = true
    ) throws -> RouteListing.Line {
        let route = try Route(
            pattern: RoutePattern(pattern), kind: .page, owner: owner, service: .declared(name: "page", layout: layout),
            parameters: ResourceURI("x?" + parameters).parameters, exposure: exposure,
            deadline: deadline.map { .seconds($0) }, mayDecline: mayDecline)
        return RouteListing.Line(route: route, source: source, interceptors: interceptors, isInstalled: isInstalled)
    }
}
