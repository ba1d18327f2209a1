public import PluginCore

// The codes of teams, their keys, and the trust store.
extension AtriumError.Code {
    /// A team, or a key of a team, that the host doesn't know.
    public static let teamUnknown = Self("teamUnknown")
    /// A team that does not own the bundle's identifier.
    public static let teamForeign = Self("teamForeign")
    /// An app group that belongs to another team than the one that signed the bundle.
    public static let groupForeign = Self("groupForeign")
    /// A retired key. New packages that it signed are not accepted.
    public static let keyRetired = Self("keyRetired")
    /// A revoked key. Nothing that it signed is accepted or loaded.
    public static let keyRevoked = Self("keyRevoked")
    /// A change of a team or key that the trust store doesn't contain.
    public static let trustUnknown = Self("trustUnknown")
    /// An attempt to trust a revoked key.
    public static let trustRevoked = Self("trustRevoked")
    /// An attempt to trust a team that owns no prefix.
    public static let trustIncomplete = Self("trustIncomplete")
    /// A change of the trust store that contradicts its content.
    public static let trustConflict = Self("trustConflict")
}
