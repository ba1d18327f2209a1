package import PluginCore

/// The handling of large values, of pages, and of the end of the other process.
package struct ObjectConnectionSettings {
    /// The folder for large values, which get files without names there, or nil for files in memory.
    package var folder: FilePath?
    /// Returns the error for calls that failed because the connection has ended.
    package var failure: @Sendable (any Error) async -> any Error = { $0 }
    /// Receives each page of the other process when this one gets it for the first time.
    package var onPage: @Sendable (RemotePage) -> Void = { _ in }
    /// Called when this process has released a page of the other one.
    package var onPageRelease: @Sendable () -> Void = {}
    /// Returns the page to show in place of one whose process has ended, or nil to go on showing the last content.
    package var replacement: @MainActor @Sendable (RemotePage) -> (any Page)? = { _ in nil }
    /// Performs an action of a page of the other process, which changes the given stack or another one.
    package var performing:
        @MainActor @Sendable (
            _ stack: any Navigator, _ action: @escaping @MainActor @Sendable (any Navigator) async throws -> Void
        ) async throws -> Void = { try await $1($0) }
    /// Runs each call of the other process.
    package var serving: @Sendable (_ body: () async throws -> Void) async throws -> Void = { try await $0() }

    package init() {}
}
