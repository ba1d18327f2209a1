import PluginCore
import PluginTestKit
import Testing

extension MainJob {
    @Suite("Rules and guards in bundle.json", .tags(.large))
    struct ComposedRuleTests {
        /// The host with a composition that guards the whole app, and in which the shop has another uri.
        private struct Lamps {
            let fixture: HostFixture
            private let folder: ThrowawayFolder
            let file: FilePath

            init() async throws {
                fixture = try await HostFixture(with: shop)
                folder = try ThrowawayFolder()
                file = try folder.write(
                    """
                    {
                      "formatVersion": 1, "name": "Lamps", "guards": ["Account.requireSignIn"],
                      "bundles": [
                        { "uri": "lamps", "pkg": "com.example.app.shop" },
                        { "uri": "account", "pkg": "com.example.app.account" }
                      ]
                    }
                    """, to: "bundle.json")
            }

            func open(_ url: String) async throws -> Opening {
                try await fixture.answer("open", url, "--composition", file.string, as: Opening.self)
            }
        }

        /// The way in which a user signs in while the whole app is guarded.
        enum SigningIn: CaseIterable {
            case byAction, byAnyPage, byItsPage
        }

        @Test(
            "A guard of the whole app does not block the sign-in page, however the user gets there",
            arguments: SigningIn.allCases)
        func guarded(by way: SigningIn) async throws {
            let lamps = try await Lamps()
            let (signIn, ending) = ("app://account/sign-in", ["--tap", "signIn name=Ada"])
            let composed = ["--composition", lamps.file.string]
            #expect(try await lamps.open("app://lamps").waiting)
            // The sign-in page itself must open without signing in.
            let page = try await lamps.open(signIn)
            #expect(!page.waiting && page.page?.title == "Sign in" && page.stack.count == 1, "\(page)")
            let words =
                switch way {
                case .byAction: ["call", "Account", "requireSignIn"]
                case .byAnyPage: ["open", "app://lamps"]
                case .byItsPage: ["open", signIn]
                }
            let result = try await lamps.fixture.host.hostapp.run(words + composed + ending)
            #expect(result.status == 0 && result.stdout.contains("Welcome, Ada."), "\(result)")
            let called = try await lamps.fixture.host.hostapp.run(["call", "Account", "requireSignIn"] + composed)
            #expect(called.status == 0 && called.stdout == "true\n", "\(called)")
            for (url, title) in [("app://lamps", "Shop"), (signIn, "Sign in")] {
                let opening = try await lamps.open(url)
                #expect(!opening.waiting && opening.page?.title == title, "\(opening)")
            }
        }
    }
}
