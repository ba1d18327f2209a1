import Console
import PluginCore
import PluginRuntime
import Testing

@testable import AppHost

@MainActor
@Suite("JSON transcripts of sessions", .tags(.small), .timeLimit(.minutes(15)))
struct TranscriptTests {
    private let stack = PageStack()
    private let transcript: Transcript

    init() throws {
        let parsed = try CommandLineParser(HostCommands.root).parse(["open", "app://orders", "--json"])
        let environment = HostEnvironment(
            variables: ["HOME": "/home/ada"], executable: "/bin/hostapp", workingFolder: "/")
        transcript = Transcript(try HostCall(parsed: parsed, environment: environment))
    }

    private func session(_ page: StubPage, result: String) -> Session {
        let router = StubRouter { [stack] _ in
            _ = await stack.present(page)
            return .handled(result)
        }
        return Session(router: router, mediator: StubMediator(), stack: stack, onNotice: transcript.notice)
    }

    private func answer() -> String? { transcript.answer(("url", "app://orders"), stack)?.json.text() }

    private let signIn = StubPage.acting("Sign in", ["ok"]) { _, _, navigator in
        navigator.show(notice: "Welcome.")
        navigator.dismiss(returning: "Ada")
    }

    private let shown = #"{"title":"Sign in","content":[],"actions":[{"id":"ok","title":"ok","fields":[]}]}"#

    @Test("The transcript of a waiting operation contains the presented page")
    func waiting() async throws {
        let session = session(signIn, result: "done")
        try await transcript.step(nil, in: session) { try await session.open(ResourceURI("app://orders")) }
        #expect(
            answer() == #"{"url":"app://orders","page":\#(shown),"result":null,"stack":["Sign in"],"waiting":true,"#
                + #""notices":[],"steps":[{"tap":null,"page":\#(shown),"notices":[]}],"permissions":[]}"#
        )
        await session.close()
    }

    @Test("The transcript contains every step with its page and notices, and the result of the waiting operation")
    func steps() async throws {
        let session = session(signIn, result: "done")
        try await transcript.step(nil, in: session) { try await session.open(ResourceURI("app://orders")) }
        try await transcript.tap(Tap("ok"), in: session)
        #expect(
            answer() == #"{"url":"app://orders","page":null,"result":"done","stack":[],"waiting":false,"#
                + #""notices":["Welcome."],"steps":[{"tap":null,"page":\#(shown),"notices":[]},"#
                + #"{"tap":"ok","page":null,"notices":["Welcome."]}],"permissions":[]}"#
        )
    }

    @Test("The error of a step is thrown")
    func failure() async throws {
        let session = session(signIn, result: "done")
        let error = await #expect(throws: AtriumError.self) { try await transcript.tap(Tap("no"), in: session) }
        #expect(error?.code == .pageActionUnknown)
    }
}
