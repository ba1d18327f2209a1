/// A clock of whatever kind, read as the time since it was taken into use.
struct Timekeeper: Sendable {
    /// Calls off what was to be called.
    typealias CallOff = @Sendable () -> Void

    private let read: @Sendable () -> Duration
    private let call: @Sendable (Duration, @escaping @Sendable () -> Void) -> CallOff

    init(_ clock: some Clock<Duration>) {
        let start = clock.now
        read = { start.duration(to: clock.now) }
        if let start = start as? ContinuousClock.Instant {
            call = { time, body in
                let order = AlarmThread.shared.order(at: start + time, body)
                return { AlarmThread.shared.callOff(order) }
            }
        } else {
            // How others sleep is for them to say.
            call = { time, body in
                let sleep = Task { @concurrent in
                    guard (try? await clock.sleep(until: start.advanced(by: time), tolerance: nil)) != nil else {
                        return
                    }
                    body()
                }
                return { sleep.cancel() }
            }
        }
    }

    /// The time since it was taken into use.
    var now: Duration { read() }

    /// Has `body` called, which must be quick, when ``now`` has come so far, unless it is called off.
    func call(at time: Duration, _ body: @escaping @Sendable () -> Void) -> CallOff {
        call(time, body)
    }
}
