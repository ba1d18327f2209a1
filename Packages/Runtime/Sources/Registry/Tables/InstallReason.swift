/// The reasons why a bundle is installed.
public enum InstallReason: String, Hashable, Sendable, CaseIterable {
    /// A user installed it by name.
    case requested
    /// Another bundle requires it.
    case required
    /// An address or a call needed it.
    case onDemand
}
