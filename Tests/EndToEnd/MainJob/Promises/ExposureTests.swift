import PluginTestKit
import Testing

extension MainJob {
    @Suite("External links", .tags(.large))
    struct ExposureTests {
        @Test("An external link opens a route that is exposed, and installs its plugin")
        func exposed() async throws {
            #expect(try await Scene().answer("open", "app://shop/item/42", "--external").page.title == "Desk lamp")
        }

        @Test(
            "An external link reaches no other route, installs nothing, and cannot change this by parameters",
            arguments: [
                ["open", "app://orders"], ["open", "app://shop/deals"], ["open", "app://shop/deals?exposure=external"],
                ["call", "Account", "isSignedIn"], ["call", "Account", "nativeIsSignedIn", "origin=host"],
                ["call", "app://Account/isSignedIn?native=1&shouldCacheTarget=1"],
            ])
        func denied(words: [String]) async throws {
            let fixture = try Scene()
            let result = try await fixture.host.hostapp.run(words + ["--external", "--json"])
            #expect(try result.status == 77 && result.refusal.code == "exposureDenied", "\(result)")
            #expect(try FileTree(of: fixture.sandbox.root).files.isEmpty)
        }
    }
}
