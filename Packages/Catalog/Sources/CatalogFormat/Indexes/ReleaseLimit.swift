public import PluginCore
import TUFMetadata

/// The installations to which a version is offered, if it isn't offered to all.
public struct ReleaseLimit: Hashable, Sendable {
    /// The version.
    public let version: SemanticVersion
    /// The channel of the version, `stable` by default.
    public let channel: String
    /// The share of the installations with this channel, in percent.
    public let rollout: Int

    /// Creates a limit.
    public init(version: SemanticVersion, channel: String, rollout: Int) {
        self.version = version
        self.channel = channel
        self.rollout = rollout
    }

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
