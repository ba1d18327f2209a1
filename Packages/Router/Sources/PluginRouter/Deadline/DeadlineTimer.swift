/// A type-erased clock, read as the time since its creation.
struct DeadlineTimer: Sendable {
    /// A closure that cancels a scheduled call.
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
            // Other clocks, such as those of tests, implement their own sleep.
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

    /// The time since the creation of this object.
    var now: Duration { read() }

    /// Schedules a closure for a time. The closure must return quickly.
    func call(at time: Duration, _ body: @escaping @Sendable () -> Void) -> CallOff {
        call(time, body)
    }
}
