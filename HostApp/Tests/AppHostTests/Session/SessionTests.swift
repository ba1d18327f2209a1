import Console
import PluginCore
import Testing

@testable import AppHost

@MainActor
@Suite("A session", .timeLimit(.minutes(15)))
struct SessionTests {
    private struct Failed: Error {}

    private let stack = PageStack()

    private func session(
        _ behaviour: @escaping @MainActor @Sendable (ResourceURI) async throws -> RouteOutcome
    ) -> Session {
        Session(router: StubRouter(behaviour: behaviour), mediator: StubMediator(), stack: stack) { _ in }
    }

    private var titles: [String] { stack.pages.map(\.title) }

    /// Opens a page behind a question, as a guarded route does.
    private func guarded(_ uri: ResourceURI) async throws -> RouteOutcome {
        let answer = await stack.present(StubPage.asking("Ask", answer: "yes"))
        guard answer as? String == "yes" else { throw AtriumError(.routeDenied, uri.text) }
        stack.push(StubPage(uri.text))
        return .shown
    }

    @Test("has opened an address when its page is on the stack")
    func openDone() async throws {
        let session = session { [stack] uri in
            stack.push(StubPage(uri.text))
            return .shown
        }
        #expect(try await session.open(ResourceURI("app://a")) == nil)
        #expect(try await session.open(ResourceURI("app://b")) == nil)
        #expect(titles == ["app://a", "app://b"])
    }

    @Test("returns what a handler returned")
    func handled() async throws {
        let session = session { _ in .handled(42) }
        #expect(try await session.open(ResourceURI("app://a")) as? Int == 42)
    }

    @Test("throws what opening throws")
    func openFails() async throws {
        let session = session { uri in throw AtriumError(.routeUnknown, uri.text) }
        let error = await #expect(throws: AtriumError.self) { try await session.open(ResourceURI("app://a")) }
        #expect(error?.code == .routeUnknown)
    }

    @Test("rests while an opening waits for an answer, and lets it go on with the answer")
    func suspendedOpening() async throws {
        let session = session(guarded)
        try await session.open(ResourceURI("app://orders"))
        #expect(titles == ["Ask"])
        #expect(stack.presentedCount == 1)

        try await session.tap(Tap("ok"))
        #expect(titles == ["app://orders"])
        #expect(stack.presentedCount == 0)
    }

    @Test("returns what a handler returned that had waited for the tap")
    func suspendedHandler() async throws {
        let session = session { [stack] _ in
            _ = await stack.present(StubPage.asking("Ask", answer: "yes"))
            return .handled("cancelled")
        }
        #expect(try await session.open(ResourceURI("app://cancel")) == nil)
        #expect(try await session.tap(Tap("ok")) as? String == "cancelled")
    }

    @Test("cancels what runs when it is cancelled itself, and goes on")
    func interrupted() async throws {
        let (begun, signal) = AsyncStream.makeStream(of: Void.self)
        let session = session { uri in
            signal.yield()
            try await Task.sleep(for: .seconds(3_600))
            return .handled("never")
        }
        let opening = Task { try await session.open(ResourceURI("app://a")) }
        var beginnings = begun.makeAsyncIterator()
        await beginnings.next()
        opening.cancel()
        await #expect(throws: CancellationError.self) { try await opening.value }
    }

    @Test("goes on without what does not end when it is cancelled, and lets it show nothing later")
    func abandoned() async throws {
        let (begun, signal) = AsyncStream.makeStream(of: CheckedContinuation<Void, Never>.self)
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        let session = session { [stack] uri in
            if uri.text == "app://b" { return .handled("b") }
            await withCheckedContinuation { signal.yield($0) }
            stack.push(StubPage("late"))
            _ = await stack.present(StubPage("late"))
            end.yield()
            return .shown
        }
        let opening = Task { try await session.open(ResourceURI("app://a")) }
        var beginnings = begun.makeAsyncIterator()
        let stuck = await beginnings.next()
        opening.cancel()
        await #expect(throws: CancellationError.self) { try await opening.value }
        #expect(try await session.open(ResourceURI("app://b")) as? String == "b")
        stuck?.resume()
        var endings = ended.makeAsyncIterator()
        await endings.next()
        #expect(titles == [])
    }

    @Test("does not cancel what waits for an answer on a page")
    func waitingIsKept() async throws {
        let (begun, signal) = AsyncStream.makeStream(of: Void.self)
        let session = session { uri in
            if uri.text == "app://orders" { return try await guarded(uri) }
            signal.yield()
            try await Task.sleep(for: .seconds(3_600))
            return .shown
        }
        try await session.open(ResourceURI("app://orders"))
        let opening = Task { try await session.open(ResourceURI("app://a")) }
        var beginnings = begun.makeAsyncIterator()
        await beginnings.next()
        opening.cancel()
        await #expect(throws: CancellationError.self) { try await opening.value }
        try await session.tap(Tap("ok"))
        #expect(titles == ["app://orders"])
    }

    @Test("tells on the way back what a suspended opening throws when its page is left")
    func leavingFails() async throws {
        let session = session(guarded)
        try await session.open(ResourceURI("app://orders"))
        let error = await #expect(throws: AtriumError.self) { try await session.back() }
        #expect(error?.code == .routeDenied)
        #expect(stack.pages.isEmpty)
    }

    @Test("rests on a page over a page, and comes back through both")
    func nestedPresents() async throws {
        let inner = StubPage.asking("Inner", answer: "inner")
        let outer = StubPage.acting("Outer", ["more"]) { _, _, navigator in
            let answer = await navigator.present(inner)
            navigator.dismiss(returning: answer)
        }
        let session = session { [stack] _ in .handled(await stack.present(outer) as? String ?? "nothing") }
        try await session.open(ResourceURI("app://a"))
        try await session.tap(Tap("more"))
        #expect(titles == ["Outer", "Inner"])
        #expect(stack.presentedCount == 2)
        #expect(try await session.tap(Tap("ok")) as? String == "inner")
        #expect(stack.pages.isEmpty)
    }

    @Test("keeps an opening waiting while another address is opened over its page")
    func twoOpenings() async throws {
        let session = session(guarded)
        try await session.open(ResourceURI("app://one"))
        try await session.open(ResourceURI("app://two"))
        #expect(titles == ["Ask", "Ask"])
        try await session.tap(Tap("ok"))
        #expect(titles == ["Ask", "app://two"])
        stack.pop()
        try await session.tap(Tap("ok"))
        #expect(titles == ["app://one"])
    }

    @Test("comes to rest for two callers at once")
    func concurrentOpenings() async throws {
        let session = session(guarded)
        async let one = session.open(ResourceURI("app://one"))
        async let two = session.open(ResourceURI("app://two"))
        _ = try await (one, two)
        #expect(stack.presentedCount == 2)
        await session.close()
    }

    @Test("does a failing action's work up to the failure, throws it, and goes on")
    func failingAction() async throws {
        let page = StubPage.acting("Page", ["push", "fail"]) {
            action, _, navigator in
            navigator.push(StubPage(action))
            if action == "fail" { throw Failed() }
        }
        stack.push(page)
        let session = session { _ in .shown }
        await #expect(throws: Failed.self) { try await session.tap(Tap("fail")) }
        #expect(titles == ["Page", "fail"])
        try await session.back()
        try await session.tap(Tap("push"))
        #expect(titles == ["Page", "push"])
    }

    @Test("throws all failures of one step, and none of them again in the next")
    func severalFailures() async throws {
        let ask = StubPage.acting("Ask", ["no"]) { _, _, navigator in
            navigator.dismiss(returning: nil)
            throw Failed()
        }
        let session = session { [stack] uri in
            guard uri.text == "app://guarded" else { return .handled("fine") }
            _ = await stack.present(ask)
            throw AtriumError(.routeDenied, uri.text, detail: "the user said no")
        }
        try await session.open(ResourceURI("app://guarded"))
        let error = await #expect(throws: SeveralFailures.self) { try await session.tap(Tap("no")) }
        #expect(error?.errors.count == 2)
        #expect(error?.errors.contains { $0 is Failed } == true)
        #expect(error?.errors.contains { ($0 as? AtriumError)?.code == .routeDenied } == true)
        #expect(try await session.open(ResourceURI("app://free")) as? String == "fine")
    }

    @Test("tells of several failures the first in full and the others in a sentence each")
    func severalFailuresReport() {
        let failures = SeveralFailures([AtriumError(.routeDenied, "app://a"), AtriumError(.routeUnknown, "app://b")])
        #expect(failures.report.code == "routeDenied")
        #expect(failures.report.details == ["also: no plugin handles \"app://b\""])
        #expect(failures.exitStatus == .refused)
    }

    @Test("waits for an action although a page of a task that goes on by itself waits for an answer")
    func presentsFromChildTask() async throws {
        let page = StubPage.acting("Page", ["ask"]) { _, _, navigator in
            let shown = Task { await navigator.present(StubPage.asking("Ask", answer: "yes")) }
            while navigator.pages.count < 2 { await Task.yield() }
            _ = shown
        }
        stack.push(page)
        let session = session { [stack] uri in
            for _ in 0..<100 { await Task.yield() }
            stack.push(StubPage(uri.text))
            return .shown
        }
        try await session.tap(Tap("ask"))
        #expect(titles == ["Page", "Ask"])
        try await session.open(ResourceURI("app://slow"))
        #expect(titles == ["Page", "Ask", "app://slow"])
    }

    @Test("waits for an action although another one waits for two answers")
    func presentsTwice() async throws {
        let session = session { [stack] uri in
            guard uri.text == "app://two" else {
                for _ in 0..<100 { await Task.yield() }
                return .handled("done")
            }
            async let one = stack.present(StubPage("One"))
            async let two = stack.present(StubPage("Two"))
            _ = await (one, two)
            return .shown
        }
        try await session.open(ResourceURI("app://two"))
        #expect(try await session.open(ResourceURI("app://slow")) as? String == "done")
        await session.close()
    }

    @Test("rests on a page that an action presents through a detached task")
    func presentsFromDetachedTask() async throws {
        let session = session { [stack] _ in
            let answer = await Task.detached { await stack.present(StubPage.asking("Ask", answer: "yes")) }.value
            return .handled(answer as? String ?? "nothing")
        }
        #expect(try await session.open(ResourceURI("app://a")) == nil)
        #expect(try await session.tap(Tap("ok")) as? String == "yes")
    }

    @Test("has nothing to tap before a page is open")
    func tapWithoutPage() async {
        let error = await #expect(throws: AtriumError.self) { try await session { _ in .shown }.tap(Tap("1")) }
        #expect(error?.code == .pageActionUnknown)
        #expect(error?.detail == "no page is open")
    }

    @Test("hands on what plugins tell the user")
    func notices() async throws {
        var heard: [String] = []
        let stack = stack
        let router = StubRouter { _ in
            stack.show(notice: "Bought.")
            return .shown
        }
        let session = Session(router: router, mediator: StubMediator(), stack: stack) { heard.append($0) }
        try await session.open(ResourceURI("app://buy"))
        #expect(heard == ["Bought."])
    }

    @Test("closes with all pages left and everything ended that had waited")
    func close() async throws {
        var ended = 0
        let page = StubPage("Home")
        stack.push(page)
        let session = session { [stack] uri in
            _ = await stack.present(StubPage("Ask"))
            for _ in 0..<100 { await Task.yield() }
            ended += 1
            throw AtriumError(.routeDenied, uri.text)
        }
        try await session.open(ResourceURI("app://a"))
        try await session.open(ResourceURI("app://b"))
        await session.close()
        #expect(ended == 2)
        #expect(stack.pages.isEmpty)
        #expect(page.closings == 1)
    }

    @Test("closes although a plugin asks again whenever its page is left")
    func closeAgainstInsistence() async throws {
        var asked = 0
        let session = session { [stack] _ in
            while asked < 1000 {
                asked += 1
                if await stack.present(StubPage("Ask")) != nil { break }
            }
            return .shown
        }
        try await session.open(ResourceURI("app://a"))
        await session.close()
        #expect(asked < 10)
        // What waits for ever would be reported as a leak: let it go.
        while asked < 1000 { await session.close() }
    }
}
