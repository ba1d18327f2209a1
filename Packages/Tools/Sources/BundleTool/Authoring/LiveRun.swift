import Console
import PluginAuthoring
import PluginCore

/// A plugin that runs in a host while its author changes it.
///
/// A host's shell runs beside this program. Each change of a source builds and installs a new version, which the shell opens by itself. What
/// fails is reported, and the version before stays.
struct LiveRun {
    let host: DevelopmentHost
    let configuration: PluginProject.Configuration

    /// The time between two looks at the shell, in milliseconds.
    private static let interval: Int32 = 100

    /// Opens an address, and follows the changes until the shell ends.
    ///
    /// - Returns: The exit status of the shell.
    func run(at address: String) throws -> Int32 {
        let changes = try FolderChanges(below: host.project.folder)
        InheritingProcess.leaveInterruptsToChildren()
        let (program, arguments) = host.invocation(["shell", "--follow", address])
        var shell: InheritingProcess? = try InheritingProcess(starting: program.string, arguments)
        while true {
            if let status = try shell?.status(waiting: false) {
                // A crash of the plugin ends its host, and the next version gets a new one.
                let hasCrashed = InheritingProcess.hasCrashed(status) || status == ExitStatus.software.rawValue
                guard hasCrashed else { return status }
                StandardOutput.note("The host has crashed; it starts again after the next change.\n")
                shell = nil
            }
            guard changes.wait(atMost: Self.interval), update() else { continue }
            if shell == nil { shell = try InheritingProcess(starting: program.string, arguments) }
        }
    }

    /// Builds and installs what has changed.
    ///
    /// - Returns: `false` if that failed; the error has been reported.
    private func update() -> Bool {
        do {
            try host.install(host.pack(host.project.build(configuration, ["--quiet"], isQuiet: true)).package)
            return true
        } catch let failure as DevelopmentHost.Failure {
            StandardOutput.note(failure.output)
        } catch {
            StandardOutput.note(FailureReport.of(error).report.text(for: Terminal(.error)))
        }
        return false
    }
}
