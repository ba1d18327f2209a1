internal import CSystem
import Glibc

/// This process.
package enum CurrentProcess {
    /// Its number.
    package static var number: Int32 { getpid() }

    /// Ends it at once, without running exit handlers.
    package static func end(status: Int32) -> Never { _exit(status) }

    /// Makes standard output unbuffered, so that no printed text is lost however the process ends.
    package static func unbufferOutput() { plugin_output_unbuffer() }

    /// Writes a line to standard error.
    package static func report(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
