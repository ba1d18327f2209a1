import Console
import PluginCore
import PluginRuntime
import Testing

@testable import AppHost

@MainActor
@Suite("Commands that run extensions in a session of their own", .tags(.medium))
struct ExtensionSessionTests {
    private let sent = Answer(text: "Sent to Notes.\n", json: ["sent": true])

    @Test("A page that an extension opens, and a notice, are printed below the answer and are members of the document")
    func opened() async throws {
        let call = try AssetsFixture().call(["today"])
        let shown = try await call.inExtensionSession { [sent] _ in
            call.session?.stack.show(notice: "Welcome.")
            call.session?.stack.push(StubPage("The note", content: [.text("milk")]))
            return sent
        }
        let answer = try #require(shown)
        #expect(answer.text == "Sent to Notes.\nWelcome.\n\nThe note\n========\nmilk\n")
        #expect(
            answer.json.text()
                == #"{"sent":true,"page":{"title":"The note","content":[{"text":"milk"}],"actions":[]},"#
                + #""notices":["Welcome."]}"#)
    }

    @Test("An answer without pages or notices is as the command made it")
    func nothing() async throws {
        let shown = try await AssetsFixture().call(["today"]).inExtensionSession { [sent] _ in sent }
        let answer = try #require(shown)
        #expect(answer.text == sent.text && answer.json.text() == sent.json.text())
    }
}
