import BundleTool
import CatalogPublisher
import Console
import PluginCore
import Testing

@Suite("Publishing versions that break others", .tags(.medium))
struct PublishContractTests {
    private let fixture: CatalogFixture

    init() throws { fixture = try CatalogFixture() }

    private func refusal(_ fixture: CatalogFixture, _ words: String...) throws -> FailureReport {
        let error = try #require(throws: (any Error).self) { try fixture.run(["publish"] + words) }
        let (report, status) = FailureReport.of(error)
        #expect(status == .refused)
        return report
    }

    @Test("A version without the routes and targets of the last release is refused, unless the major version is new")
    func refused() throws {
        try fixture.run("publish", fixture.package(routes: ["shop", "shop/old"], targets: ["Shop"]))
        let package = try fixture.package("com.example.app.shop", "1.1.0", routes: ["shop"])
        let before = try fixture.files()
        let report = try refusal(fixture, package)
        #expect(report.code == "contractBroken" && report.subject == "com.example.app.shop@1.1.0")
        #expect(
            report.details == [
                "route-removed: no page route matches all addresses of \"shop/old\" of 1.0.0, such as \"shop/old\"",
                "action-removed: the action \"Shop.act\" of 1.0.0 is missing",
            ])
        #expect(report.remedy?.hasSuffix("add --allow route-removed --allow action-removed") == true)
        #expect(try refusal(fixture, package, "--allow", "route-removed").details.count == 1)
        #expect(try fixture.files() == before)
        try fixture.run("publish", package, "--allow", "route-removed", "--allow", "action-removed")
        try fixture.run("publish", fixture.package("com.example.app.shop", "2.0.0"))
        #expect(try fixture.report().packages.map { "\($0.identity.version)" } == ["2.0.0", "1.1.0", "1.0.0"])
    }

    @Test("Versions of one publication are compared with each other, and a published one is not compared again")
    func together() throws {
        let (old, new) = (try fixture.package(routes: ["shop"]), try fixture.package("com.example.app.shop", "1.0.1"))
        #expect(try refusal(fixture, new, old).subject == "com.example.app.shop@1.0.1")
        try fixture.run("publish", old, new, "--allow", "route-removed")
        try fixture.run("publish", new, "--channel", "beta")
    }

    @Test("A pre-release promises nothing, and is compared with the release before it")
    func prereleases() throws {
        try fixture.run("publish", fixture.package(routes: ["shop"]))
        #expect(try refusal(fixture, fixture.package("com.example.app.shop", "1.1.0-beta.1")).code == "contractBroken")
        try fixture.run(
            "publish", fixture.package("com.example.app.shop", "1.1.0-beta.2", routes: ["shop", "shop/new"]))
        try fixture.run("publish", fixture.package("com.example.app.shop", "1.1.0", routes: ["shop"]))
    }
}
