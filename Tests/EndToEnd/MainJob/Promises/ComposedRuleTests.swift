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

            func refusal(_ url: String, status: Int32) async throws -> Refusal {
                try await fixture.refusal("open", url, "--composition", file.string, status: status)
            }
        }

        @Test("The uri of a bundle opens its entry page, installed or on demand")
        func entry() async throws {
            #expect(try await Lamps().open("app://lamps").page?.title == "Shop")
            #expect(try await Lamps("\"start\": \"\"", with: shop).open("app://lamps/start").page?.title == "Shop")
        }

        @Test("A rule for the uri of a bundle takes precedence over the manifest's entry page")
        func beatsPrincipal() async throws {
            let lamps = try await Lamps(#""": "item?id=42""#, with: shop)
            #expect(try await lamps.open("app://lamps").page?.title == "Desk lamp")
        }

        @Test(
            "A rule finds its page with or without the suffix Page",
            arguments: ["item", "itemPage", "ItemPage", "Item"])
        func suffix(name: String) async throws {
            let lamps = try await Lamps("\"lamp\": \"\(name)?id=42\"", with: shop)
            #expect(try await lamps.open("app://lamps/lamp").page?.title == "Desk lamp")
        }

        @Test("The parameters of a rule are added unless the address has parameters of the same name")
        func parameters() async throws {
            let lamps = try await Lamps(#""lamp": "item?id=42&from=rule", ":id": "item?id=42""#, with: shop)
            #expect(try await lamps.open("app://lamps/lamp").page?.value(of: "From") == "rule")
            let own = try await lamps.open("app://lamps/lamp?from=me")
            #expect(own.page?.value(of: "From") == "me" && own.page?.title == "Desk lamp")
            #expect(try await lamps.open("app://lamps/7").page?.title != "Desk lamp")
        }

        @Test("A rule opens a page that is described by a layout")
        func layout() async throws {
            let lamps = try await Lamps(#""legal": { "page": "help/about" }"#, with: shop)
            #expect(try await lamps.open("app://lamps/legal").page?.title == "About the shop")
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

        @Test("An address without a route opens the fallback of its pattern, of its scheme or of the app")
        func fallbacks() async throws {
            let lamps = try await Lamps(
                app: """
                    "fallback": "app://account", "fallbacks": { "lamps/**": "app://shop/item/42?from=lost" },
                    "schemes": { "web": { "fallback": "app://shop/about" } },
                    """, with: shop)
            #expect(try await lamps.open("app://lamps/gone").page?.value(of: "From") == "lost")
            #expect(try await lamps.open("web://else").page?.title == "About the shop")
            #expect(try await lamps.open("app://else").page?.title == lamps.open("app://account").page?.title)
        }
    }
}
