public import HostSystem
public import PluginCore

/// A crash or hang, with the stack of its thread if it is known.
public struct RecordedCrash: Hashable, Sendable {
    /// The code that a process was started for.
    public struct Purpose: Hashable, Sendable {
        /// The version whose code the process ran.
        public let bundle: BundleIdentity
        /// The extension; `nil` if the process ran the bundle's plugin.
        public let `extension`: BundleIdentifier?

        /// Creates the purpose of a process.
        ///
        /// - Parameter extension: The extension; `nil` for the bundle's plugin.
        public init(bundle: BundleIdentity, extension: BundleIdentifier? = nil) {
            self.bundle = bundle
            self.extension = `extension`
        }
    }

    /// The name of the report: the time in seconds since 1970, and the number of the process.
    public let name: String
    /// The number of the signal; `nil` for a hang.
    public var signal: Int32?
    /// The deadline that a process of an extension or an isolated plugin has missed; `nil` for a crash, and for a hang of a host.
    public var deadline: ProcessDeadline?
    /// The time in seconds since 1970.
    public let at: Int64
    /// The number of the process.
    public let process: Int
    /// The number of the thread; 0 if it is unknown.
    public let thread: Int
    /// The code that the process was started for; `nil` for the process of a host.
    public var purpose: Purpose?
    /// The process whose message the thread of a host handled; `nil` if it handled none.
    public var sender: Purpose?
    /// The bundle whose code is nearest to the crash on the stack, or has hung; `nil` if there is none, and for the processes of extensions and
    /// isolated plugins.
    public var code: BundleIdentity?
    /// The lines that describe the stack, for people; empty if it is unknown.
    public var stack: [String] = []

    /// The bundle whose code is nearest to the crash, for which the process was started, or whose message its thread handled; `nil` if there is
    /// none.
    public var bundle: BundleIdentity? { code ?? purpose?.bundle ?? sender?.bundle }
}

extension RecordedCrash {
    /// Creates the report of a process that has crashed or hung.
    ///
    /// - Parameters:
    ///   - cause: The reason for which the process ended.
    ///   - now: The time in seconds since 1970.
    package init(
        _ crash: CrashDescription, _ cause: CrashCause, process: Int32, purpose: Purpose, at now: Int64
    ) {
        self.init(
            name: "\(now)-\(process)", at: now, process: Int(process), thread: crash.thread, purpose: purpose)
        switch cause {
        case .signal(let number): signal = number
        case .hang(let missed): deadline = missed
        }
    }

    /// Creates the report of a version that has blocked a thread of this process.
    package init(hangOf identity: BundleIdentity, _ stack: ThreadStack, at now: Int64) {
        let process = CurrentProcess.number
        self.init(
            name: "\(now)-\(process)", at: now, process: Int(process), thread: stack.thread, code: identity,
            stack: stack.lines)
    }
}
