import HostSystem
public import Signing
public import PluginCore

/// The teams that a host trusts, with the prefixes of their bundles' identifiers and their keys.
///
/// ```swift
/// let key = try store.validate(
///     keyID: signature.keyID, team: seal.team, identifier: "com.example.app.shop", subject: "shop.zip",
///     purpose: .install, at: now)
/// try signature.verify(sealBytes, by: key)
/// ```
public struct TrustStore: Hashable, Sendable {
    /// The teams, unique and sorted by identifier.
    public internal(set) var teams: [Team]

    /// A store without teams.
    public static let empty = TrustStore(teams: [])

    /// A team with its prefixes and keys.
    public struct Team: Hashable, Sendable {
        /// The reverse-domain name of the team, as in seals.
        public let identifier: String
        /// The display name.
        public internal(set) var name: String
        /// The sorted prefixes of its bundles' identifiers: a prefix covers the equal identifier and those that continue it after a dot.
        public internal(set) var prefixes: [String]
        /// The keys in the order in which they were added.
        public internal(set) var keys: [Key]
    }

    /// A key with its validity.
    public struct Key: Hashable, Sendable {
        /// The key itself.
        public internal(set) var key: VerifyingKey
        /// The expiration in seconds since 1970, after which bundles signed with the key can't be installed.
        public internal(set) var validUntil: Int64?
        /// The revocation, after which bundles signed with the key can neither be installed nor loaded.
        public internal(set) var revocation: Revocation?
    }

    /// The revocation of a key.
    public struct Revocation: Hashable, Sendable {
        /// The time in seconds since 1970.
        public let time: Int64
        /// The reason, for display.
        public let reason: String
    }

    /// Returns the team with an identifier.
    public func team(_ identifier: String) -> Team? {
        teams.first { $0.identifier == identifier }
    }

    /// Replaces the team with the same identifier, or inserts a new one in order.
    mutating func set(_ team: Team) {
        if let index = teams.firstIndex(where: { $0.identifier == team.identifier }) {
            teams[index] = team
        } else {
            teams.append(team)
            teams.sort { $0.identifier.isBefore($1.identifier) }
        }
    }

    /// Returns the team that owns a reverse-domain name: the one with the longest prefix of it.
    func owner(of name: String) -> Team? {
        teams.compactMap { team in
            team.prefixes.filter { Self.covers($0, name) }.map(\.utf8.count).max().map { (team, $0) }
        }.max { $0.1 < $1.1 }?.0
    }

    /// Returns whether a name equals the prefix, or continues it after a dot.
    static func covers(_ prefix: String, _ name: String) -> Bool {
        name.utf8.starts(with: prefix.utf8)
            && [nil, UInt8(ascii: ".")].contains(name.utf8.dropFirst(prefix.utf8.count).first)
    }

    /// Returns the team that has exactly this prefix.
    func holder(ofPrefix prefix: String) -> Team? {
        teams.first { $0.prefixes.contains(prefix) }
    }

    /// Returns the team that has this key, under any ID.
    func holder(of key: VerifyingKey) -> Team? {
        teams.first { $0.keys.contains { $0.key.point == key.point } }
    }
}

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
