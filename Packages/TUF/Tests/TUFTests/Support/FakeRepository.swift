import TUF
import TUFMetadata

/// A repository that can be published in any state, also in one that no owner would publish.
struct FakeRepository {
    static let start = UTCTime(seconds: 1_800_000_000)

    let metadata = FakeServer()
    let targets = FakeServer()
    /// The signers of each role.
    var signers: [String: [SecretKey]] = [:]
    var root: Root
    var timestamp: Timestamp
    var snapshot: Snapshot
    var roles: [String: Targets]
    /// A Boolean value that indicates whether snapshot and timestamp contain hashes.
    var hasHashes = false

    /// Creates and publishes the first version of all roles.
    init() throws {
        let expires = Self.start.adding(days: 30)
        root = Root(expires: expires)
        timestamp = Timestamp(expires: expires)
        snapshot = Snapshot(expires: expires)
        roles = ["targets": Targets(expires: expires)]
        for role in TopLevelRole.allCases { try setKeys(of: role, [SecretKey.generate(.ed25519)]) }
        try sign("root")
        for role in ["targets", "snapshot", "timestamp"] { try sign(role) }
    }

    /// Replaces the keys and signers of a top-level role.
    mutating func setKeys(of role: TopLevelRole, _ keys: [SecretKey], threshold: Int = 1) throws {
        for key in keys { root.keys[key.publicKey.id] = key.publicKey }
        root.roles[role] = RoleKeys(ids: keys.map(\.publicKey.id), threshold: threshold)
        signers[role.rawValue] = keys
    }

    /// Delegates to a role with a new key. A new role has no targets.
    mutating func delegate(
        _ name: String, from delegator: String = "targets", paths: [String] = ["*"], isTerminating: Bool = false
    ) throws {
        let key = try SecretKey.generate(.ed25519)
        signers[name, default: []].append(key)
        var delegations = roles[delegator]?.delegations ?? Delegations()
        delegations.keys[key.publicKey.id] = key.publicKey
        delegations.roles.append(
            try Delegation(
                to: name, keys: RoleKeys(ids: [key.publicKey.id], threshold: 1),
                scope: .paths(paths.map { PathPattern($0) }), isTerminating: isTerminating))
        roles[delegator]?.delegations = delegations
        if roles[name] == nil { roles[name] = Targets(expires: Self.start.adding(days: 30)) }
    }

    mutating func addTarget(_ path: String, _ content: String, role: String = "targets") throws {
        let bytes = Array(content.utf8)
        let file = try TargetFile(of: bytes)
        roles[role, default: Targets(expires: Self.start.adding(days: 30))][path] = file
        targets[try RepositoryLayout.target(path, hash: file.hashes.forFileName)] = bytes
    }

    /// The version of a role.
    subscript(version name: String) -> Int {
        get {
            switch name {
            case "root": root.version
            case "timestamp": timestamp.version
            case "snapshot": snapshot.version
            default: roles[name]?.version ?? 0
            }
        }
        set {
            switch name {
            case "root": root.version = newValue
            case "timestamp": timestamp.version = newValue
            case "snapshot": snapshot.version = newValue
            default: roles[name]?.version = newValue
            }
        }
    }

    mutating func setExpiry(_ expires: UTCTime, of name: String) {
        switch name {
        case "root": root.expires = expires
        case "timestamp": timestamp.expires = expires
        case "snapshot": snapshot.expires = expires
        default: roles[name]?.expires = expires
        }
    }

    /// Publishes the next versions of roles.
    mutating func publish(_ names: String...) throws {
        for name in names {
            // The first version of a delegated role is published as it is.
            if TopLevelRole(rawValue: name) != nil || snapshot[name] != nil { self[version: name] += 1 }
            try sign(name)
        }
    }

    /// Publishes the current version of a role again.
    mutating func sign(_ name: String) throws {
        switch name {
        case "root": _ = try write(root, "root", root.version)
        case "timestamp": _ = try write(timestamp, "timestamp", nil)
        case "snapshot": timestamp.snapshot = try write(snapshot, "snapshot", snapshot.version)
        default:
            guard let role = roles[name] else { return }
            snapshot[name] = try write(role, name, role.version)
        }
    }

    private func write<Content: RoleContent>(
        _ content: Content, _ name: String, _ version: Int?
    ) throws -> FileDescription {
        let file = try SignedMetadata(content).signed(by: signers[name] ?? [])
        metadata[RepositoryLayout.metadata(name, version: root.isConsistent || name == "root" ? version : nil)] =
            file.bytes
        guard hasHashes else { return FileDescription(version: content.version) }
        return FileDescription(
            version: content.version, length: file.bytes.count, hashes: try Hashes(of: file.bytes, [.sha256, .sha512]))
    }
}
