import Console
import Testing

@testable import AppHost

@Suite("The difference of two route listings", .tags(.small))
struct RouteDifferenceTests {
    private let before = RouteListing([.sample("a"), .sample("b"), .sample("c", exposure: "external")])

    @Test("Equal listings have no difference")
    func same() {
        let difference = RouteDifference(from: before, to: before)
        #expect(difference.isEmpty && difference.text(for: .plain) == "No route differs.\n")
        let expected = #"{"added":[],"removed":[],"changed":[],"addedFallbacks":[],"removedFallbacks":[]}"#
        #expect(difference.json.text() == expected)
    }

    @Test("The difference lists added and removed routes, and the old and new fields of changed routes")
    func changes() {
        let after = RouteListing([
            .sample("b", owner: "com.example.other", interceptors: ["Account.requireSignIn"]), .sample("c"),
            .sample("d", kind: "object"),
        ])
        let difference = RouteDifference(from: before, to: after)
        #expect(
            difference.text(for: .plain) == """
                - a  page of com.example.shop
                + d  object of com.example.shop
                ~ b  page of com.example.other
                    owner: com.example.shop -> com.example.other
                    interceptors: - -> Account.requireSignIn
                ~ c  page of com.example.shop
                    exposure: external -> plugins

                """)
    }

    @Test("A rule of bundle.json and a manifest's route with the same pattern are different routes")
    func sources() {
        let after = RouteListing(before.lines + [.sample("a", source: "bundle.json")])
        let difference = RouteDifference(from: before, to: after)
        #expect(difference.lines.items(.added).map(\.source) == ["bundle.json"])
        #expect(difference.lines.entries.count == 1)
    }

    @Test(
        "A change of any field is detected",
        arguments: [
            .sample("a", kind: "object"), .sample("a", owner: "x"), .sample("a", name: "x"),
            .sample("a", layout: "x/y"), .sample("a", exposure: "internal"), .sample("a", priority: 1),
            .sample("a", interceptors: ["x"]), .sample("a", parameters: "x=y"),
            .sample("a", deadline: 2), .sample("a", mayDecline: true), .sample("a", isInstalled: false),
        ] as [RouteListing.Line])
    func fields(line: RouteListing.Line) {
        let difference = RouteDifference(from: RouteListing([.sample("a")]), to: RouteListing([line]))
        #expect(difference.lines.items(.changed) == [line])
        #expect(line.fields(differingFrom: .sample("a")).count == 1)
    }

    @Test("Changed fallbacks are part of the difference")
    func fallbacks() {
        let before = RouteListing([], fallbacks: [.init(of: "", to: "app://home"), .init(of: "a/**", to: "app://a")])
        let after = RouteListing([], fallbacks: [.init(of: "a/**", to: "app://b"), .init(of: "", to: "app://home")])
        let difference = RouteDifference(from: before, to: after)
        #expect(!difference.isEmpty)
        #expect(
            difference.text(for: .plain) == """
                - fallback of a/** to app://a
                + fallback of a/** to app://b

                """)
    }
}
