public import PluginCore
public import PluginExtension

extension RouteDeclaration: JSONConvertible {
    /// The declaration as JSON.
    ///
    /// `layout` is null for a page that is created by code, and `deadline` is in seconds, or null for the host's default.
    public var json: JSONText {
        [
            "pattern": pattern, "kind": kind.rawValue, "name": name, "layout": layout, "guards": guards,
            "priority": priority, "exposure": exposure.rawValue, "deadline": deadline, "mayDecline": mayDecline,
        ]
    }
}

extension TargetDeclaration: JSONConvertible {
    /// The declaration as JSON, with the exposure of each action.
    public var json: JSONText {
        let exposures = actions.map { ($0.name, JSONText.string($0.exposure.rawValue)) }
        return ["name": name, "actions": actions.map(\.name), "exposures": JSONText.object(exposures)]
    }
}

extension BundleRequirement: JSONConvertible {
    /// The requirement as JSON.
    public var json: JSONText {
        ["bundle": identifier, "versions": "\(versions)", "onDemand": isOnDemand]
    }
}

extension ExtensionDeclaration: JSONConvertible {
    /// The declaration as JSON. `activation` is the text of the rule, or null for an extension that accepts any input.
    public var json: JSONText {
        [
            "identifier": identifier, "point": point, "name": name, "entry": entry, "activation": activation,
        ]
    }
}

extension ExtensionPointDeclaration: JSONConvertible {
    /// The declaration as JSON, with the limits in seconds and bytes.
    public var json: JSONText {
        let limits = JSONText([
            "start": limits.start, "request": limits.request, "end": limits.end, "idle": limits.idle,
            "memory": limits.memory, "fileSize": limits.fileSize, "openFiles": limits.openFiles,
        ])
        return ["identifier": identifier, "limits": limits]
    }
}

extension RouteDeclaration {
    /// The attributes that differ from the defaults, in words.
    ///
    /// For example `external`, `priority 7`, `deadline 2.5 s` or `may decline`.
    public var attributes: [String] {
        (exposure == .plugins ? [] : [exposure.rawValue]) + (priority == 0 ? [] : [localized("priority \(priority)")])
            + (deadline.map { [localized("deadline \(spelling($0)) s")] } ?? [])
            + (mayDecline ? [localized("may decline")] : [])
    }

    private func spelling(_ seconds: Double) -> String {
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
