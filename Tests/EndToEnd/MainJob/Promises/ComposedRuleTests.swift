import PluginCore
import PluginTestKit
import Testing

extension MainJob {
    @Suite("Rules and guards in bundle.json", .tags(.large))
    struct ComposedRuleTests {
        /// The way in which a user signs in while the whole app is guarded.
        enum SigningIn: CaseIterable {
            case byAction, byAnyPage, byItsPage
        }

        @Test(
            "A guard of the whole app does not block the sign-in page, however the user gets there",
            arguments: SigningIn.allCases)
        func guarded(by way: SigningIn) async throws {
            let scene = try await Scene(installed: shop)
            let folder = try ThrowawayFolder()
            let file = try folder.write(
                """
                {
                  "formatVersion": 1, "name": "Lamps", "guards": ["Account.requireSignIn"],
                  "bundles": [
                    { "uri": "lamps", "pkg": "com.example.app.shop" },
                    { "uri": "account", "pkg": "com.example.app.account" }
                  ]
                }
                """, to: "bundle.json")
            func open(_ url: String) async throws -> Opening {
                try await scene.answer("open", url, "--composition", file.string)
            }
            let (signIn, ending) = ("app://account/sign-in", ["--tap", "signIn name=Ada"])
            let composed = ["--composition", file.string]
            #expect(try await open("app://lamps").waiting)
            // The sign-in page itself must open without signing in.
            let page = try await open(signIn)
            #expect(!page.waiting && page.page?.title == "Sign in" && page.stack.count == 1, "\(page)")
            let words =
                switch way {
                case .byAction: ["call", "Account", "requireSignIn"]
                case .byAnyPage: ["open", "app://lamps"]
                case .byItsPage: ["open", signIn]
                }
            let result = try await scene.host.hostapp.run(words + composed + ending)
            #expect(result.status == 0 && result.stdout.contains("Welcome, Ada."), "\(result)")
            let called = try await scene.host.hostapp.run(["call", "Account", "requireSignIn"] + composed)
            #expect(called.status == 0 && called.stdout == "true\n", "\(called)")
            for (url, title) in [("app://lamps", "Shop"), (signIn, "Sign in")] {
                let opening = try await open(url)
                #expect(!opening.waiting && opening.page?.title == title, "\(opening)")
            }
        }
    }
}
