import PluginCore
import PluginRuntime
@testable import RemoteCatalog
import Synchronization
import Testing

@Suite("Answers of a catalog", .tags(.medium), .timeLimit(.minutes(1)))
struct CatalogAnswersTests {
    @Test("A search whose answers another one is fetching waits for them")
    func together() async throws {
        let answers = CatalogAnswers(RefreshClock(maximumAge: .seconds(60)))
        let begun = Mutex(false)
        let ended = Mutex(false)
        #expect(throws: AtriumError.self) { try answers.answer(.listing, of: "catalog") }
        let first = Task {
            await answers.fetchOpen { _ in
                begun.withLock { $0 = true }
                while !ended.withLock({ $0 }) { try? await Task.sleep(for: .milliseconds(1)) }
            }
        }
        while !begun.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(1)) }
        // It waits for the first one before this line returns.
        let second = Task.immediate { await answers.fetchOpen { _ in } }
        ended.withLock { $0 = true }
        #expect(await first.value)
        #expect(await second.value)
    }

    @Test("An answer that arrives after the end of the state that was asked is used for some time")
    func afterEnd() async throws {
        let clock = RefreshClock(maximumAge: .seconds(2))
        let answers = CatalogAnswers(clock)
        let number = clock.advance(afterFailure: true)
        try await Task.sleep(for: .milliseconds(2_050))
        #expect(clock.current == nil)
        answers.save([.reachability: .success(.reachable)], of: number)
        _ = try answers.answer(.reachability, of: "catalog")
    }

    @Test("An answer from an earlier state of a catalog is not taken for one from the current state")
    func lateAnswer() throws {
        let clock = RefreshClock(maximumAge: .seconds(60))
        let answers = CatalogAnswers(clock)
        let old = clock.advance(afterFailure: false)
        answers.save([.reachability: .success(.reachable)], of: old)
        _ = try answers.answer(.reachability, of: "catalog")
        let new = clock.advance(afterFailure: false)
        answers.save([.reachability: .success(.reachable)], of: old)
        try failing(.catalogNotFetched) { try answers.answer(.reachability, of: "catalog") }
        answers.save([.reachability: .success(.reachable)], of: new)
        _ = try answers.answer(.reachability, of: "catalog")
    }
}
