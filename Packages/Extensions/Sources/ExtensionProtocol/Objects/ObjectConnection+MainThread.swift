import HostSystem

extension ObjectConnection {
    /// The function of all objects that returns when the main thread is free.
    static let mainThread = UInt8.max

    /// Returns when the main thread of the other process is free to do something.
    func waitForMainThread() async throws {
        _ = try await connection.request(Messages.call, call(Self.mainThread, 0))
    }

    /// Checks until the task is canceled that the main thread of the other process responds.
    ///
    /// A call may take any time, for example because it waits for a user. A main thread that is blocked by one makes all others wait, too, so
    /// the process is of no more use.
    ///
    /// - Parameter limit: The time between two checks, and in which the main thread must respond, in seconds.
    func checkMainThread(every limit: Double, _ onHang: @escaping @Sendable () -> Void) async throws {
        while true {
            try await Task.sleep(for: .seconds(1) * limit)
            let deadline = try DeadlineQueue.shared.after(limit, onHang)
            try? await waitForMainThread()
            DeadlineQueue.shared.cancel(deadline)
        }
    }
}
