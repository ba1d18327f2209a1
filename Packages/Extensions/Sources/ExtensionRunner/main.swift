import Confinement
import ConfinementReporting
import ExtensionProtocol
import Processes

// The program that runs one extension: it receives its orders over the inherited socket 3, drops its rights, and only then loads the
// extension's library. See ExtensionProtocol's article "Protocol" for what it expects and sends.

// A process that is killed, crashes or exits at once writes nothing more, and neither does one whose host ends it.
CurrentProcess.unbufferOutput()
do {
    try await RunnerService(connectedBy: 3, reportingCrashesTo: 4).run()
} catch {
    CurrentProcess.report("extension-runner: a host starts this program for an extension: \(error)")
    CurrentProcess.end(status: 64)
}
