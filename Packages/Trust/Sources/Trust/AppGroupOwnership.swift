public import PluginCore

/// The ownership of app groups: a group belongs to the team that owns the prefix of its name.
///
/// The groups `group.com.example` and `group.com.example.shared` belong to the owner of `com.example`, as bundles of these
/// names do.
public enum AppGroupOwnership {
    /// Returns the reverse-domain name of a group: its name without the leading part "group.".
    static func name(of group: String) -> String {
        let prefix = "group."
        return group.hasPrefix(prefix) ? String(group.dropFirst(prefix.count)) : group
    }

    /// Checks, without a trust store, that a bundle declares no app group of another team.
    ///
    /// The team's prefix is its identifier if the bundle's identifier begins with it, and otherwise the first two labels of the
    /// bundle's identifier.
    ///
    /// - Parameter team: the signing team, if known.
    /// - Throws: ``AtriumError`` with code `groupForeign` and all foreign groups.
    public static func requireOwn(in manifest: Manifest, team: String?) throws(AtriumError) {
        let identifier = manifest.identity.identifier.text
        let labels = identifier.split(separator: ".").prefix(2).joined(separator: ".")
        let prefix = team.flatMap { TrustStore.covers($0, identifier) ? $0 : nil } ?? labels
        let problems = manifest.appGroups.filter { !TrustStore.covers(prefix, name(of: $0)) }.map { group in
            ErrorReason.at(
                "appGroups",
                ErrorReason(
                    "groupOfOtherTeam",
                    ["group": .text(group), "owned": .text(name(of: group)), "prefix": .text(prefix)]))
        }
        guard problems.isEmpty else {
            throw AtriumError(.groupForeign, manifest.identity.description, problems: problems)
        }
    }
}
