import HostSystem
import Synchronization
import Testing

/// A process has one recorder, so these tests run one after the other.
@Suite("Tracing", .tags(.small), .serialized)
struct TracingTests {
    @Test("Without a recorder, an interval does not even evaluate its name")
    func off() {
        var evaluations = 0
        func name() -> String {
            evaluations += 1
            return "name"
        }
        #expect(Tracing.begin(.load, name()) == nil)
        #expect(evaluations == 0 && !Tracing.isOn)
    }

    @Test("A recorder receives an interval when it ends, and none after the recording")
    func recorded() throws {
        let name = "a test of the recorder"
        let intervals = Recording()
        Tracing.record { if $0.name == name { intervals.add($0) } }
        let open = Tracing.begin(.route, name, track: 7, caller: "host")
        #expect(intervals.all.isEmpty)
        open?.end()
        let interval = try #require(intervals.all.first)
        #expect(
            interval.category == .route && interval.track == 7 && interval.caller == "host"
                && interval.start <= interval.end)
        let late = Tracing.begin(.route, name)
        Tracing.record(nil)
        late?.end()
        #expect(intervals.all.count == 1 && !Tracing.isOn)
    }

    private final class Recording: Sendable {
        private let intervals = Mutex<[TraceInterval]>([])
        var all: [TraceInterval] { intervals.withLock { $0 } }
        func add(_ interval: TraceInterval) { intervals.withLock { $0.append(interval) } }
    }
}
