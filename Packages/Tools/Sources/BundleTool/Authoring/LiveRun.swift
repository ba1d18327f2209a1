import Console
import Glibc
import PluginCore
import PluginLint
import PluginValidation
import Processes

/// A plugin that runs in a host while its author changes it.
///
/// A host's shell runs beside this program. Each change of a source builds and installs a new version, which the shell opens by itself. What
/// fails is reported, and the version before stays.
struct LiveRun {
    let host: DevelopmentHost
    let configuration: PluginProject.Configuration
    /// The content of the newest version.
    var content: DevelopmentHost.Content

    /// The time between two looks at the shell.
    private static let interval = Duration.milliseconds(100)

    /// Opens an address, and follows the changes until the shell ends.
    ///
    /// - Returns: The exit status of the shell.
    mutating func run(at address: String) throws -> Int32 {
        let changes = FolderChanges(below: host.project.folder)
        // The program that reads the terminal handles Ctrl-C.
        signal(SIGINT, SIG_IGN)
        let (program, arguments) = host.invocation(["shell", "--follow", address])
        var shell: SpawnedProcess? = try InheritingProcess.start(program.string, arguments)
        while true {
            if let ended = shell, ended.hasEnded {
                let status = ended.reap().status
                // A crash of the plugin ends its host, and the next version gets a new one. Other signals come from somebody.
                let isStopped = [SIGHUP, SIGINT, SIGTERM].contains(status - 128)
                guard status > 128 && !isStopped || status == ExitStatus.software.rawValue else { return status }
                StandardOutput.note("The host has crashed; it starts again after the next change.\n")
                shell = nil
            }
            guard changes.wait(atMost: Self.interval), update() else { continue }
            if shell == nil { shell = try InheritingProcess.start(program.string, arguments) }
        }
    }

    /// Builds and installs what has changed. A saved file with the same content makes no new version.
    ///
    /// - Returns: `false` if that failed; the error has been reported.
    private mutating func update() -> Bool {
        do {
            content = try Files.whileLocked(host.lock) {
                try host.project.writeTexts()
                let package = try host.pack(host.project.build(configuration, ["--quiet"], isQuiet: true)).package
                let new = try host.content(of: package)
                if new != content { try host.install(package) }
                return new
            }
            return true
        } catch let failure as DevelopmentHost.Failure {
            StandardOutput.note(failure.output)
        } catch {
            StandardOutput.note(FailureReport.of(error).report.text(for: Terminal(.error)))
        }
        return false
    }
}

/// The changes of the files below a folder, found by comparing what is there from time to time.
///
/// Names that begin with a dot, which build folders use, are not looked at, nor are the files that editors leave beside those that they save.
final class FolderChanges {
    private let folder: FilePath
    private var last: FileListing

    /// The time between two looks, after which a group of changes is complete, in microseconds.
    private static let pause: UInt32 = 50_000

    /// Begins to look for changes.
    init(below folder: FilePath) {
        self.folder = folder
        last = Self.state(of: folder)
    }

    /// Waits until something has changed, and then until nothing changes for a moment.
    ///
    /// - Returns: `false` if nothing has changed within the time.
    func wait(atMost limit: Duration) -> Bool {
        let deadline = ContinuousClock.now + limit
        var state = Self.state(of: folder)
        while state == last {
            guard ContinuousClock.now < deadline else { return false }
            usleep(Self.pause)
            state = Self.state(of: folder)
        }
        repeat {
            last = state
            usleep(Self.pause)
            state = Self.state(of: folder)
        } while state != last
        return true
    }

    /// Returns what is there now.
    private static func state(of folder: FilePath) -> FileListing {
        FileListing(of: folder) { !$0.hasPrefix(".") && !StrayFile.isOfEditor($0) }
    }
}
