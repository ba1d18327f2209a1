package import PluginCore

/// The handling of pages and of the end of the other process.
package struct PeerSettings: Sendable {
    /// Returns the error for calls that failed because the connection has ended.
    package var failure: @Sendable (any Error) async -> any Error = { $0 }
    /// Receives each page of the other process when this one gets it for the first time.
    package var onPage: @Sendable (RemotePage) -> Void = { _ in }
    /// Called when this process has released a page of the other one.
    package var onPageRelease: @Sendable () -> Void = {}
    /// Returns the page to show in place of one whose process has ended, or nil to go on showing the last content.
    package var successor: @MainActor @Sendable (RemotePage) -> (any Page)? = { _ in nil }

    package init() {}
}
