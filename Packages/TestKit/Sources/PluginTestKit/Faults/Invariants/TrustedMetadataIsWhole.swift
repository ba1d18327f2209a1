/// I8: The trusted metadata of a published catalog is the old or the new state as a whole, and no version of it decreases.
///
/// Without a server, a host must be able to use it.
public struct TrustedMetadataIsWhole: SandboxInvariant {
    /// The name for reports.
    public let name = "I8"

    /// Creates the invariant.
    public init() {}

    /// Returns the catalogs whose metadata is lost, mixed or older than before.
    public func violations(in state: SandboxState, _ reference: FaultReference) -> [String] {
        reference.before.catalogs.sorted { $0.key < $1.key }.compactMap { folder, old in
            guard !old.isEmpty else { return nil }
            let (now, new) = (state.catalogs[folder] ?? [:], reference.after.catalogs[folder] ?? [:])
            if now.isEmpty { return "the catalog \(folder) has no complete trusted metadata" }
            if let role = old.keys.sorted().first(where: { now[$0, default: 0] < old[$0, default: 0] }) {
                return "the \(role) of the catalog \(folder) fell from version \(old[role] ?? 0) to \(now[role] ?? 0)"
            }
            return now == old || now == new ? nil : "the catalog \(folder) has \(now), neither \(old) nor \(new)"
        }
    }
}
