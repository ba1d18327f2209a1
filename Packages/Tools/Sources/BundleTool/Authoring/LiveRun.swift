import Console
import Glibc
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
        // The program that reads the terminal handles Ctrl-C.
        signal(SIGINT, SIG_IGN)
        let (program, arguments) = host.invocation(["shell", "--follow", address])
        var shell: InheritingProcess? = try InheritingProcess(starting: program.string, arguments)
        while true {
            if let status = try shell?.status(waiting: false) {
                // A crash of the plugin ends its host, and the next version gets a new one. Other signals come from somebody.
                let isStopped = [SIGHUP, SIGINT, SIGTERM].contains(status - 128)
                guard status > 128 && !isStopped || status == ExitStatus.software.rawValue else { return status }
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

/// The changes of the files below a folder, as the kernel reports them.
///
/// Names that begin with a dot, which build folders and editors use, are not watched, nor are the backups of editors.
final class FolderChanges {
    private let folder: FilePath
    private let watch: Int32

    /// The time without further changes after which a group of them is complete, in milliseconds.
    private static let pause: Int32 = 20

    /// Begins to collect changes.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput`, also where the kernel reports no changes.
    init(below folder: FilePath) throws(AtriumError) {
        self.folder = folder
        watch = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        guard watch >= 0 else {
            throw AtriumError(
                .inputOutput, folder.string, reason: "watchingFailed",
                ["message": .text(Files.message(forError: errno))])
        }
        addFolders()
    }

    deinit { if watch >= 0 { close(watch) } }

    /// Waits until something has changed, and then until nothing changes for a moment.
    ///
    /// - Returns: `false` if nothing has changed within the time.
    func wait(atMost milliseconds: Int32) -> Bool {
        guard isReadable(within: milliseconds), takeEvents() else { return false }
        while isReadable(within: Self.pause) { _ = takeEvents() }
        return true
    }

    private func isReadable(within milliseconds: Int32) -> Bool {
        var polled = pollfd(fd: watch, events: Int16(POLLIN), revents: 0)
        return poll(&polled, 1, milliseconds) > 0
    }

    private static func isSource(_ name: String) -> Bool { !name.hasPrefix(".") && !name.hasSuffix("~") }

    private static let events = UInt32(IN_CLOSE_WRITE | IN_CREATE | IN_MOVE | IN_DELETE | IN_ONLYDIR)

    /// Watches the folder and those below it; watching one again has no effect.
    private func addFolders() {
        let names = (try? Files.names(below: folder)) ?? []
        let folders = names.filter { name in
            name.split(separator: "/").allSatisfy { Self.isSource(String($0)) }
                && Files.kind(of: folder.appending(name), followingLinks: false) == .folder
        }
        for place in [folder] + folders.map(folder.appending) {
            inotify_add_watch(watch, place.string, Self.events)
        }
    }

    /// Takes the reported events, and returns whether one of them changes a source.
    private func takeEvents() -> Bool {
        var (isChange, isFolder) = (false, false)
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let size = MemoryLayout<inotify_event>.size
        while true {
            let count = read(watch, &buffer, buffer.count)
            guard count > 0 else { break }
            var place = 0
            while place + size <= count {
                let event = buffer.withUnsafeBytes {
                    $0.loadUnaligned(fromByteOffset: place, as: inotify_event.self)
                }
                let name = buffer[(place + size)..<min(count, place + size + Int(event.len))].prefix { $0 != 0 }
                place += size + Int(event.len)
                guard Self.isSource(String(decoding: name, as: UTF8.self)) else { continue }
                if event.mask & UInt32(IN_ISDIR) != 0 { isFolder = true }
                // A new file is complete when it is closed. After an overflow, anything may have changed.
                let isMade = event.mask & UInt32(IN_CREATE) != 0 && event.mask & UInt32(IN_ISDIR) == 0
                if !isMade, event.mask & UInt32(IN_IGNORED) == 0 { isChange = true }
            }
        }
        if isFolder { addFolders() }
        return isChange
    }
}
