import PluginRuntime
import Console
import Doctor
import PluginCore

/// The `hostapp why` command.
let whyCommand = HostCommand("why", arguments: [.required("ID", kind: .host(.known))]) { call in
    let identifier = try call.identifier(call.argument("ID"))
    let diagnosis = try await call.manager.search { try call.manager.diagnosis(of: identifier, in: $0) }
    return Answer(text: diagnosis.text(for: call.terminal), json: diagnosis.json)
}

extension BundleDiagnosis {
    /// The remedies of all obstacles and findings without duplicates, followed by the commands that are possible anyway.
    private var remedies: [String] {
        let asked =
            obstacles.compactMap(Self.remedy(for:)) + findings.compactMap(\.remedy).map { "run \"\($0.sentence)\"" }
        var remedies = asked.unique
        if installable != nil {
            remedies.append(localized("run \"hostapp \(active == nil ? "install" : "update") \(identifier)\""))
        }
        return remedies.map(HostConfiguration.current.naming)
    }

    /// Returns the remedy for an obstacle, phrased for a reader who already runs this command.
    private static func remedy(for obstacle: AtriumError) -> String? {
        switch obstacle.code {
        case .dependencyConflict: localized("choose other versions; \"hostapp catalog\" lists what is available")
        case .quarantined:
            localized(
                "install another version, which \"hostapp catalog\" lists, or run \"hostapp unblock \(obstacle.subject)\" "
                    + "to let this one run again")
        default: obstacle.report.remedy
        }
    }

    fileprivate func text(for terminal: Terminal) -> String {
        var table = Table([Table.Column(style: .dim), Table.Column()])
        for finding in findings {
            table.add([finding.topic.words, finding.sentence])
            for detail in finding.details { table.add(["", "- \(detail)"]) }
        }
        let isHere = active != nil || findings.contains { $0.topic == .staged }
        let otherwise =
            isHere ? localized("nothing") : localized("get its package, and run \"hostapp install PACKAGE.zip\"")
        for (index, remedy) in (remedies.isEmpty ? [otherwise] : remedies).enumerated() {
            table.add([index == 0 ? localized("what to do") : "", remedy])
        }
        return table.rendered(for: terminal)
    }

    var json: JSONText {
        [
            "identifier": identifier, "active": active, "installable": installable, "findings": findings.map(\.json),
            "remedies": remedies,
        ]
    }
}

extension BundleDiagnosis.Finding {
    var json: JSONText {
        ["topic": topic.rawValue, "words": sentence, "obstacle": obstacle?.report.content]
    }

    /// The first sentence of the report, which says for a version that cannot be installed why it cannot.
    fileprivate var sentence: String {
        guard let obstacle, ![.needs, .staged, .quarantined].contains(topic) else { return reason.sentence }
        return obstacle.report.message
    }

    fileprivate var details: [String] {
        guard let report = obstacle?.report else { return [] }
        return topic == .staged ? [report.message] + report.details : report.details
    }
}

extension BundleDiagnosis.Topic {
    /// The name of the topic in tables.
    fileprivate var words: String {
        switch self {
        case .neededBy: localized("needed by")
        case .quarantined: localized("quarantined")
        default: localized(key: rawValue)
        }
    }
}
