import FoundationEssentials
import Glibc
import PluginCore
import PluginTestKit
import FaultInjection

/// This is the program of Scripts/faults; see its help.
do {
    let request = try FaultRequest(Array(CommandLine.arguments.dropFirst()))
    exit(try await request.run() ? 0 : 1)
} catch {
    remark("faults: \(error)")
    exit(64)
}
