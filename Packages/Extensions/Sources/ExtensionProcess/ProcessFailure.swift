package import ExtensionProtocol
package import HostSystem
package import PluginCore

/// The ways in which the process of an extension can end without its host wanting it.
package enum ProcessFailure: Hashable, Sendable {
    /// A fault or an abort of its code.
    case crashed(signal: Int32)
    /// A crash when it had no memory left.
    case memoryExceeded(limit: Int)
    /// It ended itself.
    case exited(status: Int32)
    /// The system or a user ended it.
    case killed(signal: Int32)
    /// It has used all processor time that it may use.
    case processorTimeExceeded
    /// It missed a deadline.
    case timedOut(ProcessDeadline)
    /// It broke a rule of the protocol.
    case violation(ProtocolViolation)
    /// The host ended it.
    case hostEnded

    /// The part of the memory limit from which a crash counts as one for lack of memory.
    private static let memoryPart = 0.9

    /// Creates the failure for the end of a process that its host did not end.
    ///
    /// - Parameters:
    ///   - crash: The description that the process has written before it crashed.
    ///   - memoryLimit: The memory that it may use, in bytes.
    init(_ end: SpawnedProcess.End, _ crash: CrashDescription?, memoryLimit: Int) {
        self =
            switch (end, crash) {
            case (.exited(let status), _): .exited(status: status)
            case (.signaled, let crash?) where Double(crash.memory) >= Double(memoryLimit) * Self.memoryPart:
                .memoryExceeded(limit: memoryLimit)
            case (.signaled(SignalName.processorTime), _): .processorTimeExceeded
            case (.signaled(let signal), _):
                SignalName.isFault(signal) ? .crashed(signal: signal) : .killed(signal: signal)
            }
    }

    /// The codes of the errors of failures that the extension's code is to blame for.
    package static let crashCodes: Set<AtriumError.Code> = [
        .extensionCrashed, .extensionOutOfMemory, .extensionTimedOut, .extensionProtocolBroken,
    ]

    /// Returns the failure as an error.
    ///
    /// - Parameter lastOutput: The last output of the process, which the error contains if the extension's code is to blame.
    package func error(of identifier: String, lastOutput: String?) -> AtriumError {
        let error = error(of: identifier)
        guard let lastOutput, Self.crashCodes.contains(error.code) else { return error }
        let output = ErrorReason("lastOutput", ["text": .text(lastOutput)])
        return AtriumError(error.code, error.subject, reason: .all(of: error.reasons + [output]))
    }

    /// The failure as an error.
    package func error(of identifier: String) -> AtriumError {
        switch self {
        case .crashed(let signal):
            AtriumError(
                .extensionCrashed, identifier, reason: "signal", ["signal": .text(SignalName.name(of: signal))])
        case .memoryExceeded(let limit):
            AtriumError(.extensionOutOfMemory, identifier, reason: "memoryLimit", ["limit": .integer(limit)])
        case .exited(let status):
            AtriumError(.extensionCrashed, identifier, reason: "exitStatus", ["status": .integer(Int(status))])
        case .killed(let signal):
            AtriumError(
                .extensionEnded, identifier, reason: "signal", ["signal": .text(SignalName.name(of: signal))])
        case .processorTimeExceeded:
            AtriumError(.extensionTimedOut, identifier, reason: "processorTimeUsed")
        case .timedOut(let deadline): AtriumError(.extensionTimedOut, identifier, reason: deadline.failureReason)
        case .violation(let violation):
            AtriumError(.extensionProtocolBroken, identifier, reason: violation.reason)
        case .hostEnded: AtriumError(.extensionEnded, identifier, reason: "hostEnded")
        }
    }
}

extension AtriumError.Code {
    /// An extension whose process a fault, an abort or a call of its own has ended.
    package static let extensionCrashed = Self("extensionCrashed")
    /// An extension that has used all memory that it may use.
    package static let extensionOutOfMemory = Self("extensionOutOfMemory")
    /// An extension that did not start, reply or end in time.
    package static let extensionTimedOut = Self("extensionTimedOut")
    /// An extension whose process broke a rule of the protocol.
    package static let extensionProtocolBroken = Self("extensionProtocolBroken")
    /// An extension whose process was ended from outside.
    package static let extensionEnded = Self("extensionEnded")
}
