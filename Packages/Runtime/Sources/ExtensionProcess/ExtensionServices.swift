package import HostSystem
package import PluginCore

/// The services of a host for an extension that runs.
package protocol ExtensionServices: Sendable {
    /// Opens an address that the extension asks for, under the rules for extensions.
    func open(_ address: String) async throws
    /// Returns the verified content of a resource of the extension's bundle.
    func resource(_ name: String) async throws -> [UInt8]
    /// Hides a widget of the extension's bundle, or shows it again.
    func setHasContent(_ hasContent: Bool, for identifier: String) async throws
    /// Receives the description of a crash or hang of the process, before the error is thrown.
    ///
    /// - Parameters:
    ///   - crash: The process's own description, which hostile code can forge.
    ///   - cause: The reason for which the process ended.
    func reportCrash(_ crash: CrashDescription, _ cause: CrashCause, process: Int32)
    /// Receives a line that the process has written to its standard output or standard error.
    func output(_ line: String)
    /// Receives a message of the extension's log.
    func log(_ level: BundleLogger.Level, _ message: String)
}
