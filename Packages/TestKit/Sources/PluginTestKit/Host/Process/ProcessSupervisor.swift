internal import Dispatch
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Reads what a process says and reaps it when it ends, on two threads of its own that end with it.
final class ProcessSupervisor: Sendable {
    /// How long the end of the output may take once the process has ended, in milliseconds: a terminal passes on the last
    /// words a moment later, and a process of another session may hold the output open for ever.
    private static let grace: Int32 = 1000

    let child: pid_t
    let transcript = ProcessTranscript()
    /// The wait status once the process has been reaped; its number may then be somebody else's.
    private let status = Mutex<Int32?>(nil)

    init(_ child: pid_t) {
        self.child = child
    }

    /// - Parameter error: `nil` on a terminal.
    func start(output: Int32, error: Int32?) {
        let ending = System.pipe()
        DispatchQueue(label: "process end").async {
            System.waitForEnd(of: self.child)
            // The process is a zombie still, so that its number is its own; what it left behind goes with it.
            System.send(System.killSignal, to: -self.child)
            self.status.withLock { $0 = System.reap(self.child) }
            if let ending { System.close(ending.write) }
        }
        DispatchQueue(label: "process output").async {
            self.read(output: output, error: error, ending: ending?.read ?? -1)
        }
    }

    /// Sends a signal to the process, or to all it has started as well. Nothing happens once it has ended.
    func signal(_ number: Int32, group: Bool = false) {
        status.withLock { status in
            guard status == nil else { return }
            System.send(number, to: group ? -child : child)
        }
    }

    private func read(output: Int32, error: Int32?, ending: Int32) {
        var open = [output: ProcessTranscript.Stream.output]
        if let error { open[error] = .error }
        var hasEnded = false
        var leftToRead = ProcessTranscript.limit
        while !(hasEnded && (open.isEmpty || leftToRead <= 0)) {
            let ready = System.waitUntilReadable(
                open.keys + (hasEnded ? [] : [ending]), timeout: hasEnded ? Self.grace : -1)
            if hasEnded, ready.isEmpty { break }
            for (descriptor, stream) in open where ready.contains(descriptor) {
                if let bytes = System.read(descriptor) {
                    transcript.append(bytes, to: stream)
                    if hasEnded { leftToRead -= bytes.count }
                } else {
                    open[descriptor] = nil
                    System.close(descriptor)
                }
            }
            if ready.contains(ending) { hasEnded = true }
        }
        for descriptor in open.keys { System.close(descriptor) }
        System.close(ending)
        transcript.end(status.withLock { $0 } ?? 0)
    }
}
