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

extension ExtensionDeclaration {
    /// The declaration as JSON. `activation` is the text of the rule, or null for an extension that accepts any input.
    public var json: JSONText {
        [
            "identifier": .string(identifier.text), "point": .string(point), "name": .string(name),
            "entry": .string(entry), "activation": .string(orNull: activation),
        ]
    }
}

extension ExtensionPointDeclaration {
    /// The declaration as JSON, with the limits in seconds and bytes.
    public var json: JSONText {
        [
            "identifier": .string(identifier),
            "limits": [
                "start": .number(limits.start), "request": .number(limits.request), "end": .number(limits.end),
                "idle": .number(limits.idle), "memory": .integer(limits.memory),
                "fileSize": .integer(limits.fileSize), "openFiles": .integer(limits.openFiles),
            ],
        ]
    }
}

extension RouteDeclaration {
    /// The attributes that differ from the defaults, in words.
    ///
    /// For example `external`, `priority 7`, `deadline 2.5 s` or `may decline`.
    public var attributes: [String] {
        (exposure == .plugins ? [] : [exposure.rawValue]) + (priority == 0 ? [] : [localized("priority \(priority)")])
            + (deadline.map { [localized("deadline \(Self.spelling($0)) s")] } ?? [])
            + (mayDecline ? [localized("may decline")] : [])
    }

    private static func spelling(_ seconds: Double) -> String {
        Int(exactly: seconds).map { "\($0)" } ?? "\(seconds)"
    }
}

extension ActionDeclaration {
    /// The name, with the exposure if it is not the default.
    ///
    /// For example `open (internal)`.
    public var words: String { exposure == .plugins ? name : "\(name) (\(exposure.rawValue))" }
}

extension BundleRequirement {
    /// The bundle and its versions, with a note if it is required only on demand.
    public var words: String {
        isOnDemand ? localized("\(identifier) \(versions) on demand") : "\(identifier) \(versions)"
    }
}

extension BundlePermission {
    /// The meaning, as a clause about the bundle.
    public var words: String {
        switch self {
        case .network: localized("may connect to other computers")
        @unknown default: localized("may use \(rawValue)")
        }
    }
}
