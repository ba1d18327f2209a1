import Console
import PluginCore
import PluginRuntime

/// What the registry says, for scripts.
extension PluginBundle {
    var json: JSONText {
        [
            "name": .string(name), "identifier": .string(identity.identifier),
            "version": .string(identity.version.description), "kind": .string(kind.rawValue),
            "size": .integer(Int(size)), "digest": .string(digest), "installedAt": .string(timestamp(installedAt)),
        ]
    }
}

extension InstalledBundle {
    var json: JSONText {
        guard case .object(let fields) = active.json else { return active.json }
        return .object(fields + [("previous", .string(orNull: previous?.identity.version.description))])
    }
}

extension HistoryEntry {
    var json: JSONText {
        [
            "at": .string(timestamp(at)), "identifier": .string(identifier), "event": .string(event.rawValue),
            "version": .string(version), "before": .string(orNull: before),
        ]
    }
}

extension InstallReport {
    var json: JSONText {
        guard case .object(let fields) = bundle.json else { return bundle.json }
        return .object(
            fields + [
                ("before", .string(orNull: before?.identity.version.description)), ("changed", .bool(isChange)),
            ]
        )
    }
}

extension HistoryEntry.Event {
    /// The event for people.
    var words: String { self == .rolledBack ? "rolled back" : rawValue }
}
