public import Signing

/// Which teams a host trusts: what each may name its bundles, and by which keys it is known.
///
/// ```swift
/// let key = try store.judge(
///     keyID: signature.keyID, team: seal.team, identifier: "com.example.app.shop", subject: "shop.zip",
///     purpose: .install, at: now)
/// try signature.verify(seal, by: key)
/// ```
public struct TrustStore: Hashable, Sendable {
    /// Sorted by identifier, each of them once.
    public internal(set) var teams: [Team]

    /// Trusts nobody.
    public static let empty = TrustStore(teams: [])

    /// A team with its names and keys.
    public struct Team: Hashable, Sendable {
        /// A reverse-domain name, as seals spell it.
        public let identifier: String
        /// For people.
        public internal(set) var name: String
        /// What the identifiers of its bundles are, or start with before a dot. Sorted.
        public internal(set) var prefixes: [String]
        /// In the order in which they came.
        public internal(set) var keys: [Key]
    }

    /// A key, and what became of it.
    public struct Key: Hashable, Sendable {
        /// The key itself.
        public internal(set) var key: VerifyingKey
        /// When its time is over, in seconds since 1970: from then on nothing new that it signed is let in.
        public internal(set) var validUntil: Int64?
        /// Since when nothing that it signed is let in or loaded.
        public internal(set) var revocation: Revocation?

        init(_ key: VerifyingKey, validUntil: Int64? = nil, revocation: Revocation? = nil) {
            self.key = key
            self.validUntil = validUntil
            self.revocation = revocation
        }
    }

    /// That a key is not to be believed any more.
    public struct Revocation: Hashable, Sendable {
        /// Seconds since 1970.
        public let time: Int64
        /// Why, for people.
        public let reason: String
    }
}

extension TrustStore {
    /// The team with this identifier.
    public func team(_ identifier: String) -> Team? {
        teams.first { $0.identifier == identifier }
    }

    /// Adds a team in its place, or changes the one that is there.
    mutating func set(_ team: Team) {
        if let index = teams.firstIndex(where: { $0.identifier == team.identifier }) {
            teams[index] = team
        } else {
            teams.append(team)
            teams.sort { $0.identifier.utf8.lexicographicallyPrecedes($1.identifier.utf8) }
        }
    }

    /// The team whose bundles are named so: that of the longest prefix.
    func owner(of identifier: String) -> Team? {
        teams.compactMap { team in
            team.prefixes.filter { Self.covers($0, identifier) }.map(\.utf8.count).max().map { (team, $0) }
        }.max { $0.1 < $1.1 }?.0
    }

    /// Returns whether an identifier is the prefix, or follows it after a dot.
    static func covers(_ prefix: String, _ identifier: String) -> Bool {
        identifier.utf8.starts(with: prefix.utf8)
            && [nil, UInt8(ascii: ".")].contains(identifier.utf8.dropFirst(prefix.utf8.count).first)
    }

    /// The team that has exactly this prefix.
    func holder(ofPrefix prefix: String) -> Team? {
        teams.first { $0.prefixes.contains(prefix) }
    }

    /// The team that has this key, whatever id it has there.
    func holder(of key: VerifyingKey) -> Team? {
        teams.first { $0.keys.contains { $0.key.point == key.point } }
    }
}
