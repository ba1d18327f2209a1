public import PluginCore

extension RouteDeclaration {
    /// All that it says, for scripts; `layout` is null for a page made by code, `deadline` (seconds) for the host's.
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
    /// Its name, its actions by name, and who may call each.
    public var json: JSONText {
        [
            "name": .string(name), "actions": .strings(actions.map(\.name)),
            "exposures": .object(actions.map { ($0.name, .string($0.exposure.rawValue)) }),
        ]
    }
}

extension BundleRequirement {
    /// What it says, for scripts.
    public var json: JSONText {
        [
            "bundle": .string(identifier), "versions": .string(versions.description), "onDemand": .bool(isOnDemand),
        ]
    }
}
