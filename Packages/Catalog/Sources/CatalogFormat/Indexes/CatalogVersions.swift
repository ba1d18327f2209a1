public import HostSystem
public import PluginCore

/// The versions of a bundle that a catalog offers: the custom data of the target `versions.json`, whose content is the same.
///
/// ```swift
/// let versions = try CatalogVersions(custom: target.custom ?? JSONObject(), identifier: identifier)
/// versions.offered.first  // the newest
/// ```
public struct CatalogVersions: Hashable, Sendable {
    /// The identifier of the bundle.
    public let identifier: BundleIdentifier
    /// The versions that are offered, newest first.
    public var offered: [SemanticVersion]
    /// The limits of those among them that are not offered to all installations, newest first.
    public var limits: [ReleaseLimit] = []
    /// The versions that must not be used anymore, newest first.
    public var revoked: [RevokedVersion]
    /// The fields that this version of the format doesn't know.
    private var others = JSONObject()

    /// Creates the list of a bundle's versions.
    public init(identifier: BundleIdentifier, offered: [SemanticVersion] = [], revoked: [RevokedVersion] = []) {
        self.identifier = identifier
        self.offered = offered
        self.revoked = revoked
    }

    /// Reads the custom data of a target.
    ///
    /// - Parameters:
    ///   - custom: The custom data.
    ///   - identifier: The bundle to which the path of the target belongs.
    /// - Throws: ``AtriumError`` with code `catalogInvalid` and all problems.
    public init(custom: JSONObject, identifier: BundleIdentifier) throws(AtriumError) {
        let fields = CatalogFields(custom: custom)
        fields.require(identifier.text, "identifier", limit: CatalogLimits.path)
        let offered = fields.versions("offered")
        let limits = fields.objects("limits", limit: CatalogLimits.versions).map { fields in
            ReleaseLimit(
                version: fields.version("version"), channel: fields.channel(),
                rollout: fields.integer("rollout", in: CatalogEntry.rollouts))
        }
        let revoked = fields.objects("revoked", limit: CatalogLimits.versions).map { fields in
            RevokedVersion(
                version: fields.version("version"), sealDigest: fields.digest("seal"),
                reason: fields.text("reason", limit: CatalogLimits.reason))
        }
        if Set(offered).isSuperset(of: limits.map(\.version)) {
            fields.requireDescending(limits.map(\.version), "limits")
        } else {
            fields.add("limits", ErrorReason("notDescending"))
        }
        fields.requireDescending(revoked.map(\.version), "revoked")
        for version in Set(offered).intersection(revoked.map(\.version)).sorted() {
            fields.add("revoked", ErrorReason("offeredToo", ["version": .text("\(version)")]))
        }
        try fields.check(CatalogPath.versions(of: identifier))
        self.init(identifier: identifier, offered: offered, revoked: revoked)
        self.limits = limits
        others = fields.others
    }

    /// The custom data of the target.
    public var custom: JSONObject {
        let revoked: [JSONValue] = revoked.sorted { $0.version > $1.version }.map {
            ["version": .string("\($0.version)"), "seal": .string($0.sealDigest), "reason": .string($0.reason)]
        }
        return .custom(
            [
                ("identifier", .string(identifier.text)),
                ("offered", .array(offered.sorted(by: >).map { .string("\($0)") })),
                ("limits", .array(limits.map(\.json))),
                ("revoked", .array(revoked)),
            ], others)
    }
}

/// The installations to which a version is offered, if it isn't offered to all.
public struct ReleaseLimit: Hashable, Sendable {
    /// The version.
    public let version: SemanticVersion
    /// The channel of the version, `stable` by default.
    public let channel: String
    /// The share of the installations with this channel, in percent.
    public let rollout: Int

    var isNone: Bool { channel == CatalogEntry.stableChannel && rollout == 100 }

    var json: JSONValue {
        ["version": .string("\(version)"), "channel": .string(channel), "rollout": .integer(rollout)]
    }
}

extension CatalogVersions {
    /// Offers a version, or changes the installations to which it is offered.
    public mutating func add(_ version: SemanticVersion, channel: String, rollout: Int) {
        offered = Set(offered + [version]).sorted(by: >)
        limits.removeAll { $0.version == version }
        let limit = ReleaseLimit(version: version, channel: channel, rollout: rollout)
        if !limit.isNone { limits = (limits + [limit]).sorted { $0.version > $1.version } }
    }

    /// Stops offering a version.
    public mutating func remove(_ version: SemanticVersion) {
        offered.removeAll { $0 == version }
        limits.removeAll { $0.version == version }
    }
}

/// A version that must not be used anymore.
public struct RevokedVersion: Hashable, Sendable {
    /// The version.
    public let version: SemanticVersion
    /// The SHA-256 of the seal of its package, in lowercase hexadecimal.
    public let sealDigest: String
    /// The reason for users.
    public let reason: String

    /// Creates a revocation.
    public init(version: SemanticVersion, sealDigest: String, reason: String) {
        self.version = version
        self.sealDigest = sealDigest
        self.reason = reason
    }
}
