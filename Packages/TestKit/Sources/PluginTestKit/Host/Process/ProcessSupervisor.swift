internal import Dispatch
internal import Synchronization

internal import Glibc

/// A reader of a process's output that also reaps the process, on two threads that end with it.
final class ProcessSupervisor: Sendable {
    /// The maximum time in milliseconds between the end of the process and the end of its output.
    ///
    /// A terminal delivers the last output with a delay, and a child process in another session may keep the output open forever.
    private static let grace: Int32 = 1000

    let child: pid_t
    let transcript = ProcessTranscript()
    /// The wait status after the process was reaped. The number of the process may then be reused.
    private let status = Mutex<Int32?>(nil)

    init(_ child: pid_t) {
        self.child = child
    }

    /// - Parameters:
    ///   - output: The descriptor of the output.
    ///   - error: The descriptor of the error output, or `nil` on a terminal.
    func start(output: Int32, error: Int32?) {
        let ending = System.pipe()
        DispatchQueue(label: "process end").async {
            System.waitForEnd(of: self.child)
            // The process is still a zombie, so its number is not reused yet. Its remaining children are killed with it.
            System.send(System.killSignal, to: -self.child)
            self.status.withLock { $0 = System.reap(self.child) }
            if let ending { System.close(ending.write) }
        }
        DispatchQueue(label: "process output").async {
            self.read(output: output, error: error, ending: ending?.read ?? -1)
        }
    }

    /// Sends a signal to the process, or to its whole process group. It has no effect after the process has ended.
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
