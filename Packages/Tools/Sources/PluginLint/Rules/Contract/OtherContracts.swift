import Console
import PluginCore
import Preflight

extension LintRule {
    static let versionReused = LintRule(
        "version-reused", .error, "the version is published with other content",
        remedy: "raise \"version\" in manifest.json"
    ) { subject in
        guard subject.isVersionReused, let identity = subject.manifest?.identity else { return [] }
        return [Problem("manifest.json", "\(identity) is published with other content")]
    }

    static let dataVersionLowered = LintRule(
        "data-version-lowered", .error, "the data version is lower than that of the last published version",
        remedy: "restore \"dataVersion\" in manifest.json; hosts refuse a version with a lower one"
    ) { subject in
        guard let new = subject.manifest, let old = subject.published?.manifest, new.dataVersion < old.dataVersion
        else { return [] }
        return [
            Problem(
                "dataVersion", "it was \(old.dataVersion) in \(old.identity.version), and is \(new.dataVersion)")
        ]
    }

    static let kindChanged = LintRule(
        "kind-changed", .error, "the bundle is of another kind than the last published version", remedy: majorVersion
    ) { subject in
        guard let change = ContractChange(subject), change.old.manifest.kind != change.new.kind else { return [] }
        let (old, new) = (change.old.manifest.kind.rawValue, change.new.kind.rawValue)
        return [Problem("kind", "it was \(old) in \(change.version), and is \(new)", breaks: change.broken)]
    }

    static let serviceRemoved = LintRule(
        "service-removed", .error, "a service of the last published version is missing", remedy: majorVersion
    ) { subject in
        guard let change = ContractChange(subject) else { return [] }
        return change.old.manifest.services.filter { !change.new.services.contains($0) }.map {
            Problem("services", "the service \(quoted($0)) of \(change.version) is missing", breaks: change.broken)
        }
    }

    static let extensionPointRemoved = LintRule(
        "extension-point-removed", .error, "an extension point of the last published version is missing",
        remedy: majorVersion
    ) { subject in
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

    static let symbolRemoved = LintRule(
        "symbol-removed", .error, "the library lacks functions or types of the last published version",
        remedy: majorVersion
    ) { subject in
        guard let change = ContractChange(subject), change.new.kind == .lib, let entry = change.new.entry,
            let old = change.old.symbols, let new = subject.libraries[entry]
        else { return [] }
        let removed = old.exported.subtracting(new.exported)
        guard !removed.isEmpty else { return [] }
        let names = removed.map(LibrarySymbols.swiftName).sorted()
        let more = names.count > listed ? " and \(names.count - listed) more" : ""
        let users = change.dependents.filter { !$0.imported.isDisjoint(with: removed) }
        return [
            Problem(
                entry,
                "it lacks \(names.prefix(listed).map(quoted).joined(separator: ", "))\(more) of \(change.version)",
                breaks: users.map(\.manifest.identity.description).sorted())
        ]
    }

    static let dependentExcluded = LintRule(
        "dependent-excluded", .warning, "a plugin of the catalog requires the version before, and keeps it",
        remedy: "tell its authors; no user of that plugin gets this version until they accept it"
    ) { subject in
        guard let new = subject.manifest?.identity, let old = subject.published?.manifest.identity else { return [] }
        return (subject.catalog ?? []).compactMap { bundle in
            let range = bundle.manifest.requirements.first { $0.identifier == new.identifier }?.versions
            guard let range, range.contains(old.version), !range.contains(new.version) else { return nil }
            return Problem(
                "version", "\(bundle.manifest.identity) requires \(new.identifier) \(range), without \(new.version)")
        }
    }

    /// The findings are those of ``LintReport``, which knows what was silenced.
    static let silenceUnneeded = LintRule(
        "silence-unneeded", .warning, "a code is silenced that finds nothing",
        remedy: "remove the code from lint.json, or omit --allow"
    ) { _ in [] }
}
