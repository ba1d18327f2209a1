import PluginCore
import PluginTestKit
import Testing

extension MainJob {
    @Suite("Rules and guards in bundle.json", .tags(.large))
    struct ComposedRuleTests {
        /// The host with a composition in which the shop has another uri and the given rules.
        private struct Lamps {
            let fixture: HostFixture
            private let folder: ThrowawayFolder
            let file: FilePath

            init(_ rules: String = "", member: String = "", app: String = "", with bundles: String...) async throws {
                fixture = try HostFixture()
                for bundle in bundles { try await fixture.run("install", bundle) }
                folder = try ThrowawayFolder()
                file = try folder.write(
                    """
                    {
                      "formatVersion": 1, "name": "Lamps", \(app)
                      "bundles": [
                        { "uri": "lamps", "pkg": "com.example.app.shop", \(member) "rules": { \(rules) } },
                        { "uri": "account", "pkg": "com.example.app.account" }
                      ]
                    }
                    """, to: "bundle.json")
            }

            func open(_ url: String) async throws -> Opening {
                try await fixture.answer("open", url, "--composition", file.string, as: Opening.self)
            }
        }

        @Test(
            "The guards of a rule, a bundle, a scheme and the app run, and the user can pass them",
            arguments: [
                ("\"guards\": [\"Account.requireSignIn\"]", "", ""),
                ("", "\"guards\": [\"Account.requireSignIn\"],", ""),
                ("", "", "\"schemes\": { \"app\": { \"guards\": [\"Account.requireSignIn\"] } },"),
                ("", "", "\"guards\": [\"Account.requireSignIn\"],"),
            ]
        )
        func guards(rule: String, member: String, app: String) async throws {
            let page = "\"page\": \"item?id=42\"" + (rule.isEmpty ? "" : ", ") + rule
            let lamps = try await Lamps("\"lamp\": { \(page) }", member: member, app: app, with: shop)
            let waiting = try await lamps.open("app://lamps/lamp")
            #expect(waiting.waiting && waiting.page?.title == "Sign in", "\(waiting)")
            let opening = try await lamps.fixture.answer(
                "open", "app://lamps/lamp", "--composition", lamps.file.string, "--tap", "signIn name=Ada",
                as: Opening.self)
            #expect(!opening.waiting && opening.page?.title == "Desk lamp")
        }

        /// The way in which a user signs in while the whole app is guarded.
        enum SigningIn: CaseIterable {
            case byAction, byAnyPage, byItsPage
        }

        @Test(
            "A guard of the whole app does not block the sign-in page, however the user gets there",
            arguments: SigningIn.allCases)
        func guarded(by way: SigningIn) async throws {
            let lamps = try await Lamps(app: "\"guards\": [\"Account.requireSignIn\"],", with: shop)
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
