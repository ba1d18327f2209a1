import HostSystem
package import PluginCore
import Processes
import Synchronization

extension ExtensionProcess {
    /// The end of the process of an extension or plugin, for which calls and pages wait.
    package final class End: Sendable {
        private struct State {
            var error: AtriumError?
            var isExpected = false
            /// The tasks that wait; nil when the end is known to all.
            var waiting: [CheckedContinuation<AtriumError, Never>]? = []
        }

        private let state = Mutex(State())

        package init() {}

        /// The reason for the end, or nil before it.
        package var error: AtriumError? { state.withLock { $0.error } }

        /// A Boolean value that indicates whether the host has ended the process because it does not need it any more.
        package var isExpected: Bool { state.withLock { $0.isExpected } }

        /// Records that the host ends the process.
        package func expect() { state.withLock { if $0.error == nil { $0.isExpected = true } } }

        /// Waits for the end, and returns the reason.
        package func wait() async -> AtriumError {
            await withCheckedContinuation { continuation in
                let error = state.withLock { state in
                    state.waiting?.append(continuation)
                    return state.waiting == nil ? state.error : nil
                }
                if let error { continuation.resume(returning: error) }
            }
        }

        /// Sets the reason, and runs a closure before the waiting tasks go on.
        func set(_ error: AtriumError, _ body: () -> Void) {
            state.withLock { $0.error = error }
            body()
            for continuation in state.withLock({ $0.waiting.take() }) ?? [] { continuation.resume(returning: error) }
        }
    }
}

extension AtriumError {
    /// The part of the memory limit from which a crash counts as one for lack of memory.
    private static let memoryPart = 0.9

    /// Creates the error for a process that its host did not end.
    ///
    /// - Parameters:
    ///   - crash: The description that the process has written before it crashed.
    ///   - memoryLimit: The memory that it may use, in bytes.
    init(_ end: SpawnedProcess.End, _ crash: CrashDescription?, of identifier: String, memoryLimit: Int) {
        switch (end, crash) {
        case (.exited(let status), _):
            self.init(.extensionCrashed, identifier, reason: "exitStatus", ["status": .integer(Int(status))])
        case (.signaled, let crash?) where Double(crash.memory) >= Double(memoryLimit) * Self.memoryPart:
            self.init(.extensionOutOfMemory, identifier, reason: "memoryLimit", ["limit": .integer(memoryLimit)])
        case (.signaled(SignalName.processorTime), _):
            self.init(.extensionTimedOut, identifier, reason: "processorTimeUsed")
        case (.signaled(let signal), _):
            self.init(
                SignalName.isFault(signal) ? .extensionCrashed : .extensionEnded, identifier, reason: "signal",
                ["signal": .text(SignalName.name(of: signal))])
        }
    }

    /// A Boolean value that indicates whether this is the end of a process that the extension's code is to blame for.
    package var isExtensionFailure: Bool {
        [.extensionCrashed, .extensionOutOfMemory, .extensionTimedOut, .extensionProtocolBroken].contains(code)
    }

    /// Returns the error with the last output of the process if the extension's code is to blame.
    func adding(lastOutput: String?) -> AtriumError {
        guard let lastOutput, isExtensionFailure else { return self }
        let output = ErrorReason("lastOutput", ["text": .text(lastOutput)])
        return AtriumError(code, subject, reason: .all(of: reasons + [output]))
    }
}

extension AtriumError.Code {
    /// An extension whose process a fault, an abort or a call of its own has ended.
    package static let extensionCrashed = Self("extensionCrashed")
    /// An extension that has used all memory that it may use.
    static let extensionOutOfMemory = Self("extensionOutOfMemory")
    /// An extension that did not start, reply or end in time.
    static let extensionTimedOut = Self("extensionTimedOut")
    /// An extension whose process broke a rule of the protocol.
    static let extensionProtocolBroken = Self("extensionProtocolBroken")
    /// An extension whose process was ended from outside.
    package static let extensionEnded = Self("extensionEnded")
}
