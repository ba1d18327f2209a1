import CrashReports
package import HostSystem
package import PluginCore
package import PluginRuntime
package import Registry

/// The crash reports of a process that runs prepared code.
package struct ProcessCrashReports: Sendable {
    private let purpose: RecordedCrash.Purpose
    private let libraries: [(bundle: BundleIdentity, file: String)]
    private let folder: CrashReportFolder
    private let log: @Sendable (AtriumError) -> Void

    /// Creates the writer of reports.
    ///
    /// - Parameters:
    ///   - identifier: The extension; nil for the bundle's plugin.
    ///   - log: Receives the error if a report cannot be written.
    package init(
        of code: PreparedCode, extension identifier: BundleIdentifier? = nil, in sandbox: Sandbox,
        log: @escaping @Sendable (AtriumError) -> Void
    ) {
        purpose = RecordedCrash.Purpose(bundle: code.bundle.identity, extension: identifier)
        libraries = code.origins
        folder = CrashReportFolder(sandbox)
        // From now on, a message of the process can end this one.
        CrashNotes.report(in: sandbox.crashReports)
        self.log = log
    }

    /// Writes the report of a crash or hang.
    ///
    /// - Parameter cause: The reason for which the process ended.
    package func add(_ crash: CrashDescription, _ cause: CrashCause, process: Int32) {
        do throws(AtriumError) {
            try folder.add(
                RecordedCrash(
                    crash, cause, process: process, purpose: purpose, libraries: libraries, at: Clock.now()))
        } catch {
            log(error)
        }
    }
}
