import Dispatch
import Synchronization

/// Asynchronous work of a command that is not asynchronous itself.
enum Blocking {
    private final class Box<Value: Sendable>: Sendable {
        let result = Mutex<Result<Value, any Error>?>(nil)
    }

    /// Waits for the result of asynchronous work.
    ///
    /// It blocks its thread, so it is for the main thread of the program, and not for threads of tasks.
    static func result<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
        let (box, end) = (Box<Value>(), DispatchSemaphore(value: 0))
        Task.detached {
            let result: Result<Value, any Error>
            do { result = .success(try await body()) } catch { result = .failure(error) }
            box.result.withLock { $0 = result }
            end.signal()
        }
        end.wait()
        guard let result = box.result.withLock({ $0 }) else { throw CancellationError() }
        return try result.get()
    }
}
