import Authoring
import Console
import ExtensionHost
import PluginCore
import PluginExtension
import Preflight

extension LintRule {
    static let parameterType = Self(contract: "parameter-type", at: "code") { change in
        pairs(change).flatMap { before, input -> [String] in
            let old = before.parameters + before.captures
            return (input.parameters + input.captures).compactMap { parameter in
                // The name of a single capture doesn't count.
                let isOnlyCapture = input.captures == [parameter] && before.captures.count == 1
                let earlier = isOnlyCapture ? before.captures.first : old.first { $0.name == parameter.name }
                guard let was = earlier?.shape, let shape = parameter.shape, was != shape else { return nil }
                return "the parameter \(quoted(parameter.name)) of \(quoted(input.subject)) has the type \(shape), "
                    + "but \(change.version) had \(was)"
            }
        }
    }

    static let resultType = Self(contract: "result-type", at: "code") { change in
        pairs(change).compactMap { before, input in
            guard let old = before.output, let new = input.output, let loss = loss(from: old, to: new, at: "")
            else { return nil }
            return "the result of \(quoted(input.subject)) \(loss) in \(change.version)"
        }
    }

    static let eventRemoved = Self(contract: "event-removed", at: "code") { change in
        guard let old = change.old.events, let new = change.subject.events else { return [] }
        return old.filter { event in !new.contains { $0.name == event.name } }.map {
            "the event \(quoted($0.name)) of \(change.version) is missing"
        }
    }

    static let eventType = Self(contract: "event-type", at: "code") { change in
        guard let old = change.old.events, let new = change.subject.events else { return [] }
        return new.compactMap { event in
            guard let before = old.first(where: { $0.name == event.name }), before.payload != event.payload else {
                return nil
            }
            return "the payload of \(quoted(event.name)) has the type \(event.payload), but \(change.version) had "
                + before.payload
        }
    }

    /// Returns the routes and actions of the new version, each with the old one that it replaces.
    private static func pairs(_ change: ContractChange) -> [(old: InputDeclaration, new: InputDeclaration)] {
        guard let old = change.old.inputs, let new = change.subject.inputs else { return [] }
        return new.compactMap { input in
            old.first { isSame($0, input, in: change) && change.isPublic($0.subject) }.map { ($0, input) }
        }
    }

    /// Returns what a reader of the old form does not find in the new one, as a clause that ends before the version; `nil` if nothing is lost.
    private static func loss(from old: ValueShape, to new: ValueShape, at place: String) -> String? {
        let subject = place.isEmpty ? "has the type" : "has the property \(quoted(place)) of type"
        switch (old, new) {
        // A caller that expects no result accepts any.
        case (.value("NoValue"), _): return nil
        case (.optional(let old), .optional(let new)), (.list(let old), .list(let new)), (.optional(let old), let new):
            return loss(from: old, to: new, at: place)
        case (.structure(let properties, _), .structure(let others, let isComplete)):
            for property in properties {
                let name = place.isEmpty ? property.name : "\(place).\(property.name)"
                if let other = others.first(where: { $0.name == property.name }) {
                    if let loss = loss(from: property.shape, to: other.shape, at: name) { return loss }
                } else if isComplete, !property.shape.mayBeAbsent {
                    return "lacks the property \(quoted(name)), which it had"
                }
            }
            return nil
        default: return old == new ? nil : "\(subject) \(new), but had \(old)"
        }
    }
}

extension ValueShape {
    fileprivate var mayBeAbsent: Bool { if case .optional = self { true } else { false } }
}

extension LintRule {
    static let versionReused = Self("version-reused", .error) { subject in
        guard subject.isVersionReused, let identity = subject.manifest?.identity else { return [] }
        return [Problem("manifest.json", "\(identity) is published with other content")]
    }

    static let dataVersionLowered = Self("data-version-lowered", .error) { subject in
        guard let new = subject.manifest, let old = subject.published?.manifest, new.dataVersion < old.dataVersion
        else { return [] }
        let what = "it was \(old.dataVersion) in \(old.identity.version), and is \(new.dataVersion)"
        return [Problem("dataVersion", what)]
    }

    static let kindChanged = Self(contract: "kind-changed", at: "kind") { change in
        guard change.old.manifest.kind != change.new.kind else { return [] }
        let (old, new) = (change.old.manifest.kind.rawValue, change.new.kind.rawValue)
        return ["it was \(old) in \(change.version), and is \(new)"]
    }

    static let serviceRemoved = Self(contract: "service-removed", at: "services") { change in
        change.old.manifest.services.filter { !change.new.services.contains($0) }.map {
            "the service \(quoted($0)) of \(change.version) is missing"
        }
    }

    static let extensionPointRemoved = Self("extension-point-removed", .error) { subject in
        guard let change = ContractChange(subject) else { return [] }
        let points = Set(change.new.extensionPoints.map(\.identifier))
        return change.old.manifest.extensionPoints.map(\.identifier).filter { !points.contains($0) }.map { point in
            let users = (subject.catalog ?? []).map(\.manifest).filter { $0.extensions.contains { $0.point == point } }
            return Problem(
                "extensionPoints", "the extension point \(quoted(point)) of \(change.version) is missing",
                breaks: users.map(\.identity.description).sorted())
        }
    }

    /// The number of removed names that a finding lists.
    private static let listed = 5

    static let symbolRemoved = Self("symbol-removed", .error) { subject in
        guard let change = ContractChange(subject), change.new.kind == .lib, let entry = change.new.entry,
            let old = change.old.symbols, let new = subject.libraries[entry]
        else { return [] }
        let removed = old.exported.subtracting(new.exported)
        guard !removed.isEmpty else { return [] }
        let names = removed.map(LibrarySymbols.swiftName).sorted()
        let more = names.count > listed ? " and \(names.count - listed) more" : ""
        let what = "it lacks \(names.prefix(listed).map(quoted).joined(separator: ", "))\(more) of \(change.version)"
        let users = change.dependents.filter { !$0.imported.isDisjoint(with: removed) }
        return [Problem(entry, what, breaks: users.map(\.manifest.identity.description).sorted())]
    }

    static let dependentExcluded = Self("dependent-excluded", .warning) { subject in
        guard let new = subject.manifest?.identity, let old = subject.published?.manifest.identity else { return [] }
        return (subject.catalog ?? []).compactMap { bundle in
            let range = bundle.manifest.requirements.first { $0.identifier == new.identifier }?.versions
            guard let range, range.contains(old.version), !range.contains(new.version) else { return nil }
            return Problem(
                "version", "\(bundle.manifest.identity) requires \(new.identifier) \(range), without \(new.version)")
        }
    }

    /// The findings are those of ``LintReport``, which knows what was silenced.
    static let silenceUnneeded = Self("silence-unneeded", .warning) { _ in [] }
}
