internal import Dispatch
internal import Glibc
internal import HostSystem

/// A reader of a process's output that also reaps the process, on two threads that end with it.
final class ProcessSupervisor: Sendable {
    /// The maximum time in milliseconds between the end of the process and the end of its output.
    ///
    /// A terminal delivers the last output with a delay, and a child process in another session may keep the output open forever.
    private static let grace: Int32 = 1000

    let process: SpawnedProcess
    let transcript = ProcessTranscript()

    init(_ process: SpawnedProcess) {
        self.process = process
    }

    /// - Parameters:
    ///   - output: The descriptor of the output.
    ///   - error: The descriptor of the error output, or `nil` on a terminal.
    func start(output: Descriptor, error: Descriptor?) {
        // The second queue must not keep the end that the first one closes.
        let ending = System.pipe()
        let (reader, writer) = (ending?.reader, ending?.writer)
        DispatchQueue(label: "process end").async {
            withExtendedLifetime(writer) {
                while !self.process.wait(milliseconds: .max) {}
                // The process is still a zombie, so its number is not reused yet. Its remaining children are killed with it.
                self.process.signal(SIGKILL, toGroup: true)
                _ = self.process.reap()
            }
        }
        DispatchQueue(label: "process output").async {
            self.read(output: output, error: error, ending: reader)
        }
    }

    private func read(output: Descriptor, error: Descriptor?, ending: Descriptor?) {
        var open = [output.number: (file: output, stream: ProcessTranscript.Stream.output)]
        if let error { open[error.number] = (error, .error) }
        var hasEnded = false
        var leftToRead = ProcessTranscript.limit
        while !(hasEnded && (open.isEmpty || leftToRead <= 0)) {
            let ready = System.waitUntilReadable(
                open.keys + (hasEnded ? [] : [ending?.number ?? -1]), timeout: hasEnded ? Self.grace : -1)
            if hasEnded, ready.isEmpty { break }
            for (number, (file, stream)) in open where ready.contains(number) {
                if let bytes = System.read(file) {
                    transcript.append(bytes, to: stream)
                    if hasEnded { leftToRead -= bytes.count }
                } else {
                    open[number] = nil
                }
            }
            if let ending, ready.contains(ending.number) { hasEnded = true }
        }
        transcript.end(process.reap())
    }
}
