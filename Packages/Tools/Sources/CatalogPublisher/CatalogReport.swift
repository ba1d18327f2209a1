public import CatalogFormat
public import Console
import HostSystem
public import PluginCore
import PluginRuntime
public import TUFMetadata
import TUFRepository

/// The roles and packages of a published catalog.
public struct CatalogReport: Sendable {
    /// A role with its keys.
    public struct Role: Sendable {
        /// The name.
        public let name: String
        /// The identifiers of its keys.
        public let keys: [String]
        /// The number of keys that must sign.
        public let threshold: Int
        /// The version of its metadata.
        public let version: Int
        /// The end of its life.
        public let expires: TUFMetadata.UTCTime
        /// The number of targets that it describes; nil for a role without targets.
        public let targetCount: Int?
        /// The size of its metadata in bytes.
        public let size: Int
        /// A Boolean value that indicates whether enough of its keys have signed.
        public let isSigned: Bool
        /// The state of its life.
        public let life: Life
    }

    /// The state of a role's life.
    public enum Life: String, Sendable {
        /// It is valid for long enough.
        case valid
        /// It expires soon.
        case expiring
        /// It has expired.
        case expired
    }

    /// A version of a bundle.
    public struct Package: Sendable {
        /// The identity.
        public let identity: BundleIdentity
        /// The role that describes it.
        public let role: String
        /// The size in bytes, or nil for a revoked version.
        public let size: Int?
        /// The entry with the team, channel, rollout, deltas and parts, or nil for a revoked version.
        public let entry: CatalogEntry?
        /// The reason for the revocation, or nil for an offered version.
        public let revocation: String?
    }

    /// A component for builds: an Interface of a plugin, or an SDK.
    public struct Component: Sendable {
        let path: String
        /// Its columns in a table: subject, kind, name, team, role and size.
        public let row: [String]
        /// The component as JSON.
        public let json: JSONText
    }

    /// The roles: those of the root, and delegated ones in the order of their priority.
    public private(set) var roles: [Role] = []
    /// The versions, sorted by identifier and then version, newest first.
    public private(set) var packages: [Package] = []
    /// The components, in the order of their paths.
    public private(set) var components: [Component] = []
    /// The problems: data that a host would refuse.
    public private(set) var problems: [String] = []

    /// Reads a catalog.
    ///
    /// - Throws: ``CommandError`` if there is no catalog, or if its metadata cannot be read.
    public init(of folder: FilePath, at time: TUFMetadata.UTCTime = .now) throws {
        let editor = try CatalogEditor(existing: folder)
        guard let published = editor.repository.published else { throw CommandError.noCatalog(folder) }
        let root = published.root.content
        func add(
            _ name: String, _ metadata: SignedMetadata<some RoleContent>, _ keys: [String: PublicKey], _ role: RoleKeys
        ) {
            let expires = metadata.content.expires
            let lifetime = editor.repository.lifetimes.days(of: name)
            let warning = RoleExpiry.warningTime(before: expires, lifetime: lifetime)
            let targets = metadata.content as? Targets
            roles.append(
                Role(
                    name: name, keys: role.ids, threshold: role.threshold, version: metadata.content.version,
                    expires: expires, targetCount: targets?.paths.count, size: metadata.bytes.count,
                    isSigned: metadata.signers(by: keys, role: role) >= role.threshold,
                    life: expires <= time ? .expired : warning <= time ? .expiring : .valid))
            if let targets { read(targets, name, editor) }
        }
        add("root", published.root, root.keys, root.keys(of: .root))
        add("timestamp", published.timestamp, root.keys, root.keys(of: .timestamp))
        add("snapshot", published.snapshot, root.keys, root.keys(of: .snapshot))
        let top = try reporting(folder) { try published.targets(of: "targets") }
        guard let top else { throw CommandError.repository(TUFError(.roleUnknown, "targets"), folder) }
        add("targets", top, root.keys, root.keys(of: .targets))
        for delegation in top.content.delegations?.roles ?? [] {
            if let metadata = try reporting(folder, { try published.targets(of: delegation.name) }) {
                add(delegation.name, metadata, top.content.delegations?.keys ?? [:], delegation.keys)
            } else {
                problems.append("the snapshot does not list the role \"\(delegation.name)\"")
            }
        }
        components.sort { $0.path < $1.path }
        packages.sort {
            // The newest version comes first.
            ($0.identity.identifier, $1.identity.version) < ($1.identity.identifier, $0.identity.version)
        }
    }

    private mutating func read(_ content: Targets, _ role: String, _ editor: CatalogEditor) {
        for path in content.paths {
            // A target of another role's scope is not found by any client.
            guard (try? editor.role(for: path)) == role, let file = content[path] else { continue }
            do {
                try read(path, file, file.custom ?? JSONObject(), role, editor)
            } catch {
                problems.append("\(error)")
            }
        }
    }

    private mutating func read(
        _ path: String, _ file: TargetFile, _ custom: JSONObject, _ role: String, _ editor: CatalogEditor
    ) throws {
        if let identity = CatalogPath.identity(ofPackage: path) {
            let entry = try CatalogEntry(custom: custom, path: path)
            packages.append(.init(identity: identity, role: role, size: file.length, entry: entry, revocation: nil))
            for (target, delta) in entry.allDeltas where !editor.has(target, delta.length, delta.sha256) {
                problems.append("\"\(path)\" lists a delta from \(delta.base) that the catalog does not have")
            }
            for part in entry.parts
            where !editor.has(CatalogPath.part(of: identity, for: part.platform), part.length, part.sha256) {
                problems.append("\"\(path)\" lists a part for \(part.platform) that the catalog does not have")
            }
        } else if let identity = CatalogPath.identity(ofInterface: path) {
            let interface = try CatalogInterface(custom: custom, path: path)
            let (module, team, size) = (interface.module, interface.team, file.length)
            let row = ["\(identity)", "interface", module, team, role, byteCount(size)]
            let json = JSONText([
                "kind": "interface", "identifier": identity.identifier, "version": identity.version,
                "module": module, "team": team, "role": role, "size": size,
            ])
            components.append(.init(path: path, row: row, json: json))
            if (try? editor.entry(of: identity))?.team != interface.team {
                problems.append("\"\(path)\" is the Interface of no package of its team")
            }
        } else if path.hasPrefix("sdk/"), path.hasSuffix(".json") {
            _ = try CatalogSDKVersions(custom: custom, path: path)
        } else if path.hasPrefix("sdk/") {
            let sdk = try CatalogSDK(custom: custom, path: path)
            let row = ["\(sdk.version)", "sdk", sdk.platform, "", role, byteCount(file.length)]
            let json = JSONText([
                "kind": "sdk", "version": sdk.version, "platform": sdk.platform, "swift": sdk.swift, "role": role,
                "size": file.length,
            ])
            components.append(.init(path: path, row: row, json: json))
        } else if path.hasPrefix("providers/") {
            _ = try CatalogProviders(custom: custom, path: path)
        } else if path.hasSuffix("/versions.json"), let identifier = BundleIdentifier(String(path.dropLast(14))) {
            let list = try CatalogVersions(custom: custom, identifier: identifier)
            packages += list.revoked.map {
                Package(
                    identity: BundleIdentity(identifier: identifier, version: $0.version), role: role, size: nil,
                    entry: nil, revocation: $0.reason)
            }
        }
    }

    /// The roles that need somebody's attention: those that expire soon or are not signed.
    public var warnings: [Role] { roles.filter { $0.life != .valid || !$0.isSigned } }
}

extension CatalogEditor {
    /// Returns whether there is a target with the length and the digest that the entry of its package describes.
    func has(_ path: String, _ length: Int, _ sha256: String) -> Bool {
        let target = try? target(path)
        return target?.length == length && target?.hashes.known[.sha256] == sha256
    }
}
