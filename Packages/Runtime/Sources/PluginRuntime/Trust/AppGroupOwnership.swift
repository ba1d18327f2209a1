public import PluginCore

/// Decides whose an app group is: `group.com.example` and `group.com.example.shared` belong to the team that owns the prefix
/// `com.example`, as bundles of these names do.
public enum AppGroupOwnership {
    /// The reverse-domain name that a group's name stands for: the name without a leading `group.`.
    static func name(of group: String) -> String {
        let prefix = "group."
        return group.hasPrefix(prefix) ? String(group.dropFirst(prefix.count)) : group
    }

    /// Makes sure, without a trust store, that a bundle declares no app group of another team. The team's prefix is taken to be its
    /// identifier when the bundle's begins with it, and otherwise the first two labels of the bundle's identifier.
    ///
    /// - Parameter team: the team that signs; `nil` when that is not known.
    /// - Throws: ``AtriumError`` with code `groupForeign`; all foreign groups are listed.
    public static func requireOwn(in manifest: Manifest, team: String?) throws(AtriumError) {
        let identifier = manifest.identity.identifier
        let labels = identifier.split(separator: ".").prefix(2).joined(separator: ".")
        let prefix = team.flatMap { TrustStore.covers($0, identifier) ? $0 : nil } ?? labels
        let problems = manifest.appGroups.filter { !TrustStore.covers(prefix, name(of: $0)) }.map { group in
            "appGroups: \"\(group)\" belongs to the team that owns \"\(name(of: group))\", and this bundle is a team's that owns "
                + "\"\(prefix)\""
        }
        guard problems.isEmpty else {
            throw AtriumError(.groupForeign, manifest.identity.description, problems: problems)
        }
    }
}
