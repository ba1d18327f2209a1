public import PluginCore

extension RouteDeclaration {
    /// The declaration as JSON.
    ///
    /// `layout` is null for a page that is created by code, and `deadline` is in seconds, or null for the host's default.
    public var json: JSONText {
        [
            "pattern": .string(pattern), "kind": .string(kind.rawValue), "name": .string(name),
            "layout": .string(orNull: layout), "guards": .strings(guards), "priority": .integer(priority),
            "exposure": .string(exposure.rawValue), "deadline": deadline.map { .number($0) } ?? .null,
            "mayDecline": .bool(mayDecline),
        ]
    }
}

extension TargetDeclaration {
    /// The declaration as JSON, with the exposure of each action.
    public var json: JSONText {
        [
            "name": .string(name), "actions": .strings(actions.map(\.name)),
            "exposures": .object(actions.map { ($0.name, .string($0.exposure.rawValue)) }),
        ]
    }
}

extension BundleRequirement {
    /// The requirement as JSON.
    public var json: JSONText {
        [
            "bundle": .string(identifier.text), "versions": .string(versions.description),
            "onDemand": .bool(isOnDemand),
        ]
    }
}
