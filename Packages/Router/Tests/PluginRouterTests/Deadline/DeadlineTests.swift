import Dispatch
import FoundationEssentials
import PluginCore
import PluginRouter
import Testing

@Suite("Deadlines", .tags(.small), .timeLimit(.minutes(15)))
@MainActor
struct DeadlineTests {
    private let clock = ManualClock()

    /// Waits until the task is canceled and records it.
    private static func hang(_ notes: Notes) async {
        await withTaskCancellationHandler {
            await Latch().passed()
        } onCancel: {
            notes.add("canceled")
        }
    }

    private func fixture(_ notes: Notes, deadline: Double? = nil, isPicky: Bool = false) -> RouterFixture {
        let routes: [RouteDeclaration] = [
            .route("slow", .handler, deadline: deadline, mayDecline: isPicky),
            .route("slow/object", .object, "slow", deadline: deadline, mayDecline: isPicky),
        ]
        var bundle = FakeBundle(identifier: "com.example.slow", routes: routes)
        bundle.serve = { _ in
            await Self.hang(notes)
            return .object(())
        }
        if isPicky {
            bundle.accepts = { _ in
                await Self.hang(notes)
                return true
            }
        }
        return RouterFixture(installed: [bundle], clock: clock)
    }

    /// Returns the error of a request after a given time.
    private func error(after time: Duration, _ request: @escaping @MainActor () async throws -> Void) async
        -> AtriumError?
    {
        await clock.advance(by: time, untilEndOf: Task { await refusal(request) })
    }

    @Test(
        "A hanging handler is canceled at the deadline, and the error names its owner and the time")
    func hanging() async {
        let notes = Notes()
        let fixture = fixture(notes)
        let opened = await error(after: .seconds(30)) { try await fixture.router.open("app://slow") }
        let asked = await error(after: .seconds(30)) {
            _ = try await fixture.router.object(for: "app://slow/object", as: Int.self)
        }
        for (error, subject) in [(opened, "slow"), (asked, "slow/object")] {
            #expect(error?.code == .deadlineExceeded && error?.subject == subject)
            #expect(error?.reason?.description == "deadline(limit: seconds(seconds: 30), owner: com.example.slow)")
        }
        await notes.reached(2)
        #expect(notes.all == ["canceled", "canceled"])
    }

    @Test("The deadline of a route takes precedence over the host's, for declared and registered routes")
    func ofRoute() async throws {
        let notes = Notes()
        let fixture = fixture(notes, deadline: 0.5)
        let declared = await error(after: .seconds(1)) { try await fixture.router.open("app://slow") }
        #expect(declared?.reason?.description == "deadline(limit: seconds(seconds: 0.5), owner: com.example.slow)")
        let options = RouteOptions(deadline: .seconds(2))
        try await fixture.routing(as: "code").register("code", kind: .handler, options: options) { _ in
            await Self.hang(notes)
            return .object(())
        }
        let coded = await error(after: .seconds(2)) { try await fixture.router.open("app://code") }
        #expect(coded?.reason?.description == "deadline(limit: seconds(seconds: 2), owner: code)")
    }

    @Test("Deadlines apply to accepts, interceptors and guards, and canOpen is false when they are exceeded")
    func judging() async throws {
        let notes = Notes()
        let picky = fixture(notes, isPicky: true)
        #expect(
            await error(after: .seconds(30)) { try await picky.router.open("app://slow") }?.code == .deadlineExceeded)
        let slow = try ResourceURI("app://slow")
        let canOpen = Task { await picky.router.canOpen(slow) }
        #expect(await !clock.advance(by: .seconds(30), untilEndOf: canOpen))
        let account = FakeBundle.account("hang") { _ in
            await Self.hang(notes)
            return true
        }
        let fixture = RouterFixture(installed: [account], clock: clock)
        let options = RouteOptions(guards: ["Account.hang"])
        try await fixture.router.register("guarded", kind: .handler, options: options) { _ in .object(()) }
        try await fixture.router.register("quick", kind: .handler) { _ in .object(()) }
        let checker = Interceptor("checker", allowing: { _ in await Self.hang(notes) })
        try fixture.router.intercept(.route("quick"), by: checker)
        for (address, subject, owner) in [("quick", "checker", "host"), ("guarded", "Account.hang", "the guard")] {
            let error = await error(after: .seconds(30)) { try await fixture.router.open("app://" + address) }
            #expect(error?.code == .deadlineExceeded && error?.subject == subject)
            #expect(error?.reason?.description == "deadline(limit: seconds(seconds: 30), owner: \(owner))")
        }
    }

    @Test("A suspending interceptor and a guard that shows a page may wait for the user without a deadline")
    func suspended() async throws {
        let (asked, gate) = (Notes(), Latch())
        let wait: @Sendable () async -> Bool = {
            asked.add("asked")
            await gate.passed()
            return true
        }
        let routing = Slot<any Routing>()
        let account = FakeBundle.account("signIn") { _ in
            try await routing.value?.open("app://signIn", presentation: .modal)
            return true
        }
        let fixture = RouterFixture(installed: [account], clock: clock)
        routing.value = fixture.routing(as: "account")
        try await fixture.router.register("signIn", kind: .page) { _ in .page(await TitledPage(title: "signIn")) }
        fixture.stack.onPresent = { _ = await wait() }
        let options = RouteOptions(guards: ["Account.signIn"])
        try await fixture.router.register("guarded", kind: .handler, options: options) { _ in .object(()) }
        try await fixture.router.register("suspended", kind: .handler) { _ in .object(()) }
        let interceptor = Interceptor("x") { _ in .suspend(reason: "", until: wait) }
        try fixture.router.intercept(.route("suspended"), by: interceptor)
        let waiting = ["app://guarded", "app://suspended"].map { address in
            Task { await failure { try await fixture.router.open(address) } }
        }
        await asked.reached(2)
        clock.advance(by: .seconds(86_400))
        gate.open()
        for waiting in waiting { #expect(await waiting.value == nil) }
    }

    @Test("A deadline pauses while nested code waits for a modal page, and then continues")
    func modal() async throws {
        let (fixture, gate, returned) = (RouterFixture(installed: [], clock: clock), Latch(), Latch())
        let routing = fixture.routing(as: "outer")
        try await routing.register("ask", kind: .page) { _ in .page(await TitledPage(title: "ask")) }
        try await routing.register("inner", kind: .handler) { _ in
            try await routing.open("app://ask", presentation: .modal)
            return .object(())
        }
        try await routing.register("outer", kind: .handler) { _ in
            try await routing.open("app://inner")
            returned.open()
            await gate.passed()
            return .object(())
        }
        let user = Latch()
        fixture.stack.onPresent = { await user.passed() }
        let waiting = Task { await refusal { try await fixture.router.open("app://outer") } }
        await fixture.stack.presented.passed()
        await clock.sleepers(0)
        clock.advance(by: .seconds(86_400))
        user.open()
        // The inner handler has ended, and the outer one hangs.
        await returned.passed()
        await clock.sleepers(1)
        clock.advance(by: .seconds(29))
        await clock.sleepers(1)
        clock.advance(by: .seconds(1))
        let error = await waiting.value
        #expect(error?.code == .deadlineExceeded && error?.subject == "outer")
    }

    @Test("Code whose deadline is over can open nothing anymore")
    func leftBehind() async throws {
        let (fixture, gate, late) = (RouterFixture(installed: [], clock: clock), Latch(), Notes())
        let routing = fixture.routing(as: "late")
        try await routing.register("target", kind: .handler) { _ in
            late.add("opened")
            return .object(())
        }
        try await routing.register("late", kind: .handler) { _ in
            await gate.passed()
            let error = await refusal { try await routing.open("app://target") }
            late.add(error?.code.name ?? "")
            return .object(())
        }
        let error = await error(after: .seconds(30)) { try await fixture.router.open("app://late") }
        #expect(error?.code == .deadlineExceeded)
        gate.open()
        await late.reached(1)
        #expect(late.all == ["deadlineExceeded"])
    }

    @Test("Handlers that end in time leave no timers behind")
    func inTime() async throws {
        let fixture = RouterFixture(installed: [], clock: clock)
        try await fixture.router.register("quick", kind: .handler) { _ in .object(()) }
        for _ in 0..<100 { try await fixture.router.open("app://quick") }
        await clock.sleepers(0)
    }

    @Test("Deadlines fire and other requests are handled even if more handlers block than there are processors")
    func blockingAll() async throws {
        let fixture = RouterFixture(installed: [], clock: ContinuousClock())
        let count = ProcessInfo.processInfo.activeProcessorCount + 1
        let (entered, gate) = (Notes(), DispatchSemaphore(value: 0))
        let options = RouteOptions(deadline: .milliseconds(100))
        try await fixture.router.register("block/:number", kind: .handler, options: options) { _ in
            entered.add("entered")
            gate.block()
            return .object(())
        }
        try await fixture.router.register("quick", kind: .handler) { _ in .object(()) }
        let router = fixture.router
        let waiting = (0..<count).map { number in
            Task { @concurrent in await refusal { try await router.open("app://block/\(number)") } }
        }
        for waiting in waiting {
            // Each handler blocks a thread until this signal.
            #expect(await waiting.value?.code == .deadlineExceeded)
        }
        await entered.reached(count)
        #expect(await failure { try await router.open("app://quick") } == nil)
        for _ in 0..<count { gate.signal() }
    }

    @Test("Canceling the caller cancels the handler")
    func cancellation() async throws {
        let (notes, entered) = (Notes(), Latch())
        let fixture = RouterFixture(installed: [], clock: clock)
        try await fixture.router.register("wait", kind: .handler) { _ in
            entered.open()
            // The loop checks the flag directly, because it could end before a cancellation handler is called.
            while !Task.isCancelled { await Task.yield() }
            notes.add("canceled")
            throw CancellationError()
        }
        let waiting = Task { await failure { try await fixture.router.open("app://wait") } }
        await entered.passed()
        waiting.cancel()
        #expect(await waiting.value is CancellationError)
        #expect(notes.all == ["canceled"])
    }
}

extension DispatchSemaphore {
    /// Blocks the thread like a hanging system call, but not forever, so that the test can fail.
    fileprivate func block() {
        _ = wait(timeout: .now() + 20)
    }
}
