import Console
import PluginCore
import PluginRuntime
import Testing

@testable import AppHost

@MainActor
@Suite("Sessions of an app", .tags(.small), .timeLimit(.minutes(15)))
struct SessionTests {
    private struct Failed: Error {}

    /// Something that happens in the app, for which a test waits.
    private struct Event<Value: Sendable>: Sendable {
        private let ends = AsyncStream.makeStream(of: Value.self)
        func happen(_ value: Value) { ends.continuation.yield(value) }

        @discardableResult
        func next() async -> Value? {
            for await value in ends.stream { return value }
            return nil
        }
    }

    private let stack = PageStack()

    private func session(
        _ behavior: @escaping @MainActor @Sendable (ResourceURI) async throws -> RouteOutcome
    ) -> Session {
        Session(router: StubRouter(behavior: behavior), mediator: StubMediator(), stack: stack) { _ in }
    }

    private var titles: [String] { stack.pages.map(\.title) }

    /// Opens a page after the user has confirmed, as a guarded route does.
    private func guarded(_ uri: ResourceURI) async throws -> RouteOutcome {
        let answer = await stack.present(StubPage.asking("Ask", answer: "yes"))
        guard answer as? String == "yes" else { throw AtriumError(.routeDenied, uri.text) }
        stack.push(StubPage(uri.text))
        return .shown
    }

    @Test("Opening returns while it waits for a page, and completes when that page is answered")
    func suspendedOpening() async throws {
        let session = session(guarded)
        try await session.open(ResourceURI("app://orders"))
        #expect(titles == ["Ask"])
        #expect(stack.presentedCount == 1)

        try await session.tap(Tap("ok"))
        #expect(titles == ["app://orders"])
        #expect(stack.presentedCount == 0)
    }

    @Test("Of two operations at a time, each caller gets the outcome of its own")
    func concurrent() async throws {
        let begun = Event<CheckedContinuation<Void, Never>>()
        let session = session { uri in
            await withCheckedContinuation { begun.happen($0) }
            if uri.text == "app://b" { throw AtriumError(.routeUnknown, uri.text) }
            return .handled("a")
        }
        let handled = Task { try await session.open(ResourceURI("app://a")) as? String }
        let first = await begun.next()
        let failing = Task { try await session.open(ResourceURI("app://b")) as? String }
        let second = await begun.next()
        second?.resume()
        first?.resume()
        #expect(try await handled.value == "a")
        let error = await #expect(throws: AtriumError.self) { try await failing.value }
        #expect(error?.subject == "app://b")
    }

    @Test("An operation that ignores cancellation is abandoned and cannot show pages later")
    func abandoned() async throws {
        let begun = Event<CheckedContinuation<Void, Never>>()
        let ended = Event<Void>()
        let session = session { [stack] uri in
            if uri.text == "app://b" { return .handled("b") }
            await withCheckedContinuation { begun.happen($0) }
            stack.push(StubPage("late"))
            _ = await stack.present(StubPage("late"))
            ended.happen(())
            return .shown
        }
        let opening = Task { try await session.open(ResourceURI("app://a")) }
        let stuck = await begun.next()
        opening.cancel()
        await #expect(throws: CancellationError.self) { try await opening.value }
        #expect(try await session.open(ResourceURI("app://b")) as? String == "b")
        stuck?.resume()
        await ended.next()
        #expect(titles == [])
    }

    @Test("Cancellation ends a running operation, but not one that waits for a page, and the session continues")
    func waitingIsKept() async throws {
        let begun = Event<Void>()
        let session = session { uri in
            if uri.text == "app://orders" { return try await guarded(uri) }
            begun.happen(())
            try await Task.sleep(for: .seconds(3_600))
            return .shown
        }
        try await session.open(ResourceURI("app://orders"))
        let opening = Task { try await session.open(ResourceURI("app://a")) }
        await begun.next()
        opening.cancel()
        await #expect(throws: CancellationError.self) { try await opening.value }
        try await session.tap(Tap("ok"))
        #expect(titles == ["app://orders"])
    }

    @Test("Going back throws the error of an operation that was waiting for the page")
    func leavingFails() async throws {
        let session = session(guarded)
        try await session.open(ResourceURI("app://orders"))
        let error = await #expect(throws: AtriumError.self) { try await session.back() }
        #expect(error?.code == .routeDenied)
        #expect(stack.pages.isEmpty)
    }

    @Test("A page can present another page, and each returns its value to its presenter")
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

    @Test("A task that an action starts on the main actor has begun when the tap returns", arguments: [false, true])
    func startedTasks(presents: Bool) async throws {
        var begun = 0
        let inner = StubPage.asking("Inner", answer: "inner")
        let outer = StubPage.acting("Outer", ["more"]) { _, _, navigator in
            Task { begun += 1 }
            if presents { _ = await navigator.present(inner) }
        }
        let session = session { [stack] _ in .handled(await stack.present(outer) as? String ?? "nothing") }
        try await session.open(ResourceURI("app://a"))
        try await session.tap(Tap("more"))
        #expect(begun == 1)
        await session.close()
    }

    @Test("An operation keeps waiting while another address is opened over its page")
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

    @Test("Changes that a failing action made before its error are kept, and the session continues")
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

    @Test("All errors of one step are thrown once and not again in the next step")
    func severalFailures() async throws {
        let ask = StubPage.acting("Ask", ["no"]) { _, _, navigator in
            navigator.dismiss(returning: nil)
            throw Failed()
        }
        let session = session { [stack] uri in
            guard uri.text == "app://guarded" else { return .handled("fine") }
            _ = await stack.present(ask)
            throw AtriumError(.routeDenied, uri.text, reason: .verbatim("the user said no"))
        }
        try await session.open(ResourceURI("app://guarded"))
        let error = await #expect(throws: SeveralFailures.self) { try await session.tap(Tap("no")) }
        #expect(error?.errors.count == 2 && error?.errors.contains { $0 is Failed } == true)
        #expect(error?.errors.contains { ($0 as? AtriumError)?.code == .routeDenied } == true)
        #expect(try await session.open(ResourceURI("app://free")) as? String == "fine")
    }

    @Test("The report of several errors contains the first in full and a sentence for each other")
    func severalFailuresReport() {
        let errors = [AtriumError(.routeDenied, "app://a"), AtriumError(.routeUnknown, "app://b")]
        let failures = SeveralFailures(errors: errors)
        #expect(failures.report.code == "routeDenied")
        #expect(failures.report.details == ["also: no plugin handles \"app://b\""])
        #expect(failures.exitStatus == .refused)
    }

    @Test("The session waits for an action while a child task of it waits for a page")
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

    @Test("The session waits for an action while another operation waits for two pages")
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

    @Test("A page that a detached task presents for an action is attributed to that action")
    func presentsFromDetachedTask() async throws {
        let session = session { [stack] _ in
            let answer = await Task.detached { await stack.present(StubPage.asking("Ask", answer: "yes")) }.value
            return .handled(answer as? String ?? "nothing")
        }
        #expect(try await session.open(ResourceURI("app://a")) == nil)
        #expect(try await session.tap(Tap("ok")) as? String == "yes")
    }

    @Test("A tap without an open page is an error")
    func tapWithoutPage() async {
        let error = await #expect(throws: AtriumError.self) { try await session { _ in .shown }.tap(Tap("1")) }
        #expect(error?.code == .pageActionUnknown && error?.reason?.description == "noPageOpen")
    }

    @Test("A notice of a plugin is passed to the session's handler")
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

    @Test("Closing the session removes all pages and ends all waiting operations")
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

    @Test("Closing ends even if a plugin presents a page again after each dismissal")
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
        // A continuation that is never resumed would be reported as a leak, so this resumes all of them.
        while asked < 1000 { await session.close() }
    }
}
