import Dispatch
import FoundationEssentials
import PluginCore
import PluginRouter
import Synchronization
import Testing

@Suite("Deadlines", .timeLimit(.minutes(15)))
@MainActor
struct DeadlineTests {
    private let clock = ManualClock()

    /// Waits until it is cancelled, and writes that down.
    private static func hang(_ notes: Notes) async {
        await withTaskCancellationHandler {
            await Latch().passed()
        } onCancel: {
            notes.add("cancelled")
        }
    }

    private func house(_ notes: Notes, deadline: Double? = nil, isPicky: Bool = false) -> House {
        let routes = [
            RouteDeclaration(pattern: "slow", kind: .handler, name: "slow", deadline: deadline, mayDecline: isPicky),
            RouteDeclaration(
                pattern: "slow/object", kind: .object, name: "slow", deadline: deadline, mayDecline: isPicky),
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
        return House(installed: [bundle], clock: clock)
    }

    /// The error of a request after so much time.
    private func error(after time: Duration, _ request: @escaping @MainActor () async throws -> Void) async
        -> AtriumError?
    {
        let waiting = Task { await failure(request) as? AtriumError }
        await clock.sleepers(1)
        clock.advance(by: time)
        return await waiting.value
    }

    @Test(
        "of the host cost the caller of what hangs an error that says whose and how long, and what hangs is cancelled")
    func hanging() async {
        let notes = Notes()
        let house = house(notes)
        let opened = await error(after: .seconds(30)) { try await house.router.open("app://slow") }
        let asked = await error(after: .seconds(30)) {
            _ = try await house.router.object(for: "app://slow/object", as: Int.self)
        }
        for error in [opened, asked] {
            #expect(error?.code == .deadlineExceeded)
            #expect(error?.detail == "com.example.slow had 30 seconds")
        }
        #expect([opened?.subject, asked?.subject] == ["slow", "slow/object"])
        await notes.reached(2)
        #expect(notes.all == ["cancelled", "cancelled"])
    }

    @Test("of a route come before the host's, declared and in code")
    func ofRoute() async throws {
        let notes = Notes()
        let house = house(notes, deadline: 0.5)
        let declared = await error(after: .seconds(1)) { try await house.router.open("app://slow") }
        #expect(declared?.detail == "com.example.slow had 0.5 seconds")
        let options = RouteOptions(deadline: .seconds(2))
        try await house.routing(as: "code").register("code", kind: .handler, options: options) { _ in
            await Self.hang(notes)
            return .object(())
        }
        let coded = await error(after: .seconds(2)) { try await house.router.open("app://code") }
        #expect(coded?.detail == "code had 2 seconds")
    }

    @Test("are those of accepts and of interceptors as well, and canOpen is false when they are over")
    func judging() async throws {
        let notes = Notes()
        let picky = house(notes, isPicky: true)
        #expect(
            await error(after: .seconds(30)) { try await picky.router.open("app://slow") }?.code == .deadlineExceeded)
        let canOpen = Task { await picky.router.canOpen(try ResourceURI("app://slow")) }
        await clock.sleepers(1)
        clock.advance(by: .seconds(30))
        #expect(try await !canOpen.value)
        let house = House(installed: [], clock: clock)
        try await house.router.register("quick", kind: .handler) { _ in .object(()) }
        try house.router.intercept(
            .everything,
            by: Interceptor("checker") { _ in
                await Self.hang(notes)
                return .allow
            })
        let error = await error(after: .seconds(30)) { try await house.router.open("app://quick") }
        #expect(error?.code == .deadlineExceeded)
        #expect(error?.subject == "checker")
    }

    @Test("cost a guard that hangs an error, as they do a handler")
    func ofGuard() async throws {
        let notes = Notes()
        var account = FakeBundle(identifier: "account", targets: ["Account"])
        account.actions = [
            Action("hang") { _ in
                await Self.hang(notes)
                return true
            }
        ]
        let house = House(installed: [account], clock: clock)
        let options = RouteOptions(guards: ["Account.hang"])
        try await house.router.register("guarded", kind: .handler, options: options) { _ in .object(()) }
        let error = await error(after: .seconds(30)) { try await house.router.open("app://guarded") }
        #expect(error?.code == .deadlineExceeded)
        #expect(error?.subject == "Account.hang")
        #expect(error?.detail == "the guard had 30 seconds")
    }

    @Test("are none for an interceptor's condition, nor for a guard that shows a page, whatever a user needs")
    func suspended() async throws {
        let (asked, gate) = (Notes(), Latch())
        let wait: @Sendable () async -> Bool = {
            asked.add("asked")
            await gate.passed()
            return true
        }
        var account = FakeBundle(identifier: "account", targets: ["Account"])
        let routing = Slot<any Routing>()
        account.actions = [
            Action("signIn") { _ in
                try await routing.value?.open("app://signIn", presentation: .modal)
                return true
            }
        ]
        let house = House(installed: [account], clock: clock)
        routing.value = house.routing(as: "account")
        try await house.router.register("signIn", kind: .page) { _ in .page(await TitledPage(title: "signIn")) }
        house.stack.onPresent = { _ = await wait() }
        let options = RouteOptions(guards: ["Account.signIn"])
        try await house.router.register("guarded", kind: .handler, options: options) { _ in .object(()) }
        try await house.router.register("suspended", kind: .handler) { _ in .object(()) }
        let interceptor = Interceptor("x") { _ in .suspend(reason: "", until: wait) }
        try house.router.intercept(.route("suspended"), by: interceptor)
        let waiting = ["app://guarded", "app://suspended"].map { address in
            Task { await failure { try await house.router.open(address) } }
        }
        await asked.reached(2)
        clock.advance(by: .seconds(86_400))
        gate.open()
        for waiting in waiting { #expect(await waiting.value == nil) }
    }

    @Test("stand still while the code waits for a modal opening, however deep, and go on where they stood")
    func modal() async throws {
        let (house, gate, returned) = (House(installed: [], clock: clock), Latch(), Latch())
        let routing = house.routing(as: "outer")
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
        house.stack.onPresent = { await user.passed() }
        let waiting = Task { await failure { try await house.router.open("app://outer") } as? AtriumError }
        await house.stack.presented.passed()
        await clock.sleepers(0)
        clock.advance(by: .seconds(86_400))
        user.open()
        // What is inside is done, and what is outside hangs.
        await returned.passed()
        await clock.sleepers(1)
        clock.advance(by: .seconds(29))
        await clock.sleepers(1)
        clock.advance(by: .seconds(1))
        let error = await waiting.value
        #expect(error?.code == .deadlineExceeded)
        #expect(error?.subject == "outer")
    }

    @Test("that are over let what was left behind open nothing any more")
    func leftBehind() async throws {
        let (house, gate, late) = (House(installed: [], clock: clock), Latch(), Notes())
        let routing = house.routing(as: "late")
        try await routing.register("target", kind: .handler) { _ in
            late.add("opened")
            return .object(())
        }
        try await routing.register("late", kind: .handler) { _ in
            await gate.passed()
            let error = await failure { try await routing.open("app://target") } as? AtriumError
            late.add(error?.code.name ?? "")
            return .object(())
        }
        let error = await error(after: .seconds(30)) { try await house.router.open("app://late") }
        #expect(error?.code == .deadlineExceeded)
        gate.open()
        await late.reached(1)
        #expect(late.all == ["deadlineExceeded"])
    }

    @Test("leave no timer behind for what is done in time")
    func inTime() async throws {
        let house = House(installed: [], clock: clock)
        try await house.router.register("quick", kind: .handler) { _ in .object(()) }
        for _ in 0..<100 { try await house.router.open("app://quick") }
        await clock.sleepers(0)
    }

    @Test("need no main actor: a handler that says nothing of one does not block it, even when it blocks its thread")
    func blocking() async throws {
        let house = House(installed: [])
        let entered = Latch()
        let blocked = Mutex(true)
        try await house.router.register("block", kind: .handler) { _ in
            entered.open()
            // Stands for a system call that does not return.
            while blocked.withLock({ $0 }) {}
            return .object(())
        }
        let waiting = Task { try await house.router.open("app://block") }
        await entered.passed()
        // On the main actor, while the handler blocks its thread.
        blocked.withLock { $0 = false }
        _ = try await waiting.value
    }

    @Test("fire when more handlers block their threads than there are processors, and others are served meanwhile")
    func blockingAll() async throws {
        let house = House(installed: [], clock: ContinuousClock())
        let count = ProcessInfo.processInfo.activeProcessorCount + 1
        let (entered, gate) = (Notes(), DispatchSemaphore(value: 0))
        let options = RouteOptions(deadline: .milliseconds(100))
        try await house.router.register("block/:number", kind: .handler, options: options) { _ in
            entered.add("entered")
            gate.block()
            return .object(())
        }
        try await house.router.register("quick", kind: .handler) { _ in .object(()) }
        let router = house.router
        let waiting = (0..<count).map { number in
            Task { @concurrent in await failure { try await router.open("app://block/\(number)") } as? AtriumError }
        }
        for waiting in waiting {
            // Each holds a thread until this lets it go.
            #expect(await waiting.value?.code == .deadlineExceeded)
        }
        await entered.reached(count)
        #expect(await failure { try await router.open("app://quick") } == nil)
        for _ in 0..<count { gate.signal() }
    }

    @Test("hand the caller's cancellation on")
    func cancellation() async throws {
        let (notes, entered) = (Notes(), Latch())
        let house = House(installed: [], clock: clock)
        try await house.router.register("wait", kind: .handler) { _ in
            entered.open()
            // No cancellation handler: who sees the flag can be through before its handler would be called.
            while !Task.isCancelled { await Task.yield() }
            notes.add("cancelled")
            throw CancellationError()
        }
        let waiting = Task { await failure { try await house.router.open("app://wait") } }
        await entered.passed()
        waiting.cancel()
        #expect(await waiting.value is CancellationError)
        #expect(notes.all == ["cancelled"])
    }
}

extension DispatchSemaphore {
    /// Blocks the thread as a system call would that does not return; not for ever, so that a test can fail.
    fileprivate func block() {
        _ = wait(timeout: .now() + 20)
    }
}
