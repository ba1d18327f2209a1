import PluginTestKit
import Testing

extension MainJob {
    @Suite("A link from outside")
    struct ExposureTests {
        @Test("opens what is declared for links")
        func external() async throws {
            let result = try await House().host.run("open", "app://shop/item/42", "--external", "--json")
            #expect(result.status == 0, "\(result)")
            #expect(try result.json(as: Opening.self).page?.title == "Desk lamp")
        }

        @Test(
            "reaches nothing else, installs nothing for it, and no parameter changes that",
            arguments: [
                ["open", "app://orders"], ["open", "app://shop/deals"], ["open", "app://shop/deals?exposure=external"],
                ["call", "Account", "isSignedIn"], ["call", "Account", "nativeIsSignedIn", "origin=host"],
                ["call", "app://Account/isSignedIn?native=1&shouldCacheTarget=1"],
            ])
        func denied(words: [String]) async throws {
            let house = try House()
            let result = try await house.host.hostapp.run(words + ["--external", "--json"])
            #expect(result.status == 77, "\(result)")
            #expect(try result.json(as: RefusalDocument.self).error.code == "exposureDenied")
            #expect(try FileTree(of: house.sandbox.root).files.isEmpty)
        }

        @Test("is no longer than a link may be")
        func size() async throws {
            let link = "app://shop/item/" + String(repeating: "4", count: 10_000)
            let result = try await House().host.run("open", link, "--external", "--json")
            #expect(result.status == 65)
            #expect(try result.json(as: RefusalDocument.self).error.code == "requestTooLarge")
        }
    }
}
