import FoundationEssentials
import Glibc
import PluginCore
import PluginTestKit
import FaultInjection

/// Prints a note to standard error.
func remark(_ text: String) {
    let line = Array((text + "\n").utf8)
    _ = write(STDERR_FILENO, line, line.count)
}

/// This is the program of Scripts/faults; see its help.
do {
    let request = try FaultRequest(Array(CommandLine.arguments.dropFirst()))
    exit(try await request.run() ? 0 : 1)
} catch {
    remark("faults: \(error)")
    exit(64)
}
