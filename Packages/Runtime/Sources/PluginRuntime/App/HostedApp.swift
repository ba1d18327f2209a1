public import PluginCore

/// The app that a host runs, as far as changes of the sandbox depend on it.
///
/// ```swift
/// struct Kiosk: HostedApp {
///     func members() -> [AppMember] { [AppMember("com.example.app.shop", versions: VersionRange("^1.0.0"))] }
/// }
/// services.app = Kiosk()
/// ```
public protocol HostedApp: Sendable {
    /// Returns the bundles of the app with the versions that it allows.
    ///
    /// No plan installs another version of them. A rollback and the recovery from a crash are not bound by it, because they only have the
    /// versions that the sandbox keeps.
    ///
    /// - Throws: ``AtriumError`` when that is unknown; then nothing is planned.
    func members() throws(AtriumError) -> [AppMember]

    /// Checks a version that is about to become active, in addition to the checks of the manager.
    ///
    /// - Parameter folder: the folder of the version, whose files match its seal.
    /// - Throws: ``AtriumError`` with code `packageInvalid` and the identity of the version, which is not made active then.
    func permit(_ manifest: Manifest, in folder: FilePath) throws(AtriumError)
}

extension HostedApp {
    /// Permits every version.
    public func permit(_ manifest: Manifest, in folder: FilePath) throws(AtriumError) {}
}
