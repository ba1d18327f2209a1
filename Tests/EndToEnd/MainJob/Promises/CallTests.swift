import PluginTestKit
import Testing

extension MainJob {
    @Suite("Calling actions", .tags(.large))
    struct CallTests {
        private struct Called: Decodable {
            let call: String
            let result: Int
        }

        @Test("An action is called by name with parameters, and its plugin is installed on demand")
        func named() async throws {
            let fixture = try Scene()
            let called = try await fixture.answer(
                "call", "Orders", "place", "item=Red socks", "price=900", as: Called.self)
            #expect(called.call == "Orders.place" && called.result == 1)
            #expect(try await fixture.run("call", "Orders", "count").stdout == "1\n")
        }

        @Test("An action that presents a page completes when the page is answered")
        func suspended() async throws {
            let fixture = try Scene()
            let waiting = try await fixture.answer("call", "Account", "requireSignIn", as: Waiting.self)
            #expect(waiting.waiting && waiting.page?.title == "Sign in")
            let words = ["call", "Account", "requireSignIn", "--tap", "signIn name=Ada"]
            let result = try await fixture.host.hostapp.run(words)
            #expect(result.status == 0)
            #expect(result.stdout.hasSuffix("Welcome, Ada.\ntrue\n"), "\(result)")
        }

        private struct Waiting: Decodable {
            let waiting: Bool
            let page: Page?
        }
    }
}
