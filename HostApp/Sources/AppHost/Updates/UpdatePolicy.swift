/// The policy for newer versions of a plugin, which a host follows by itself.
enum UpdatePolicy: String, Hashable, Sendable, CaseIterable {
    /// Nothing: updates are made by "hostapp update".
    case manual
    /// It says that there are updates.
    case notify
    /// It installs updates that become active at the next start.
    case stage
    /// It installs updates that become active at once.
    case apply
}
