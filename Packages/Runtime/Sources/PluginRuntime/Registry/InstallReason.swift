/// Why a bundle is installed.
public enum InstallReason: String, Hashable, Sendable, CaseIterable {
    /// Somebody installed it by name.
    case requested
    /// It came along because another bundle requires it.
    case required
    /// An address or a call needed it.
    case onDemand
}
