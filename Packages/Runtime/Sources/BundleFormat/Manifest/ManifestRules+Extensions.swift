package import PluginCore

/// The form of extensions, extension points, permissions and isolation. What they mean is known to the layer that runs extensions.
extension ManifestRules {
    /// Reports everything that only an app may have, if the bundle is of another kind.
    func requireApp(_ draft: ManifestDraft, kind: BundleKind?) {
        guard let kind, kind != .app else { return }
        let fields = [
            ("extensions", draft.extensions.isEmpty), ("extensionPoints", draft.extensionPoints.isEmpty),
            ("permissions", draft.permissions.isEmpty), ("isolation", draft.isolation == nil),
        ]
        for (field, isEmpty) in fields where !isEmpty {
            problems.add(field, "onlyApps", ["kind": .text(kind.rawValue)])
        }
    }

    func extensionPoints(
        _ drafts: [ManifestDraft.Point], of bundle: BundleIdentifier?
    ) -> [ExtensionPointDeclaration] {
        let points = drafts.enumerated().compactMap { index, draft -> ExtensionPointDeclaration? in
            guard let text = draft.identifier else { return nil }
            _ = identifier(text, below: bundle, at: "\(draft.place ?? "extensionPoints[\(index)]").identifier")
            return ExtensionPointDeclaration(identifier: text, limits: ExtensionLimits(draft.limits))
        }
        repeated(points.map(\.identifier), in: "extensionPoints", "nameTwice")
        return points
    }

    func extensions(_ draft: ManifestDraft, of bundle: BundleIdentifier?) -> [ExtensionDeclaration] {
        let extensions = draft.extensions.enumerated().compactMap { index, declared in
            declaration(declared, at: "extensions[\(index)]", of: bundle)
        }
        repeated(draft.extensions.compactMap(\.identifier), in: "extensions", "nameTwice")
        repeated([draft.entry].compactMap(\.self) + draft.extensions.compactMap(\.entry), in: "extensions", "nameTwice")
        return extensions
    }

    private func declaration(
        _ draft: ManifestDraft.Extension, at place: String, of bundle: BundleIdentifier?
    ) -> ExtensionDeclaration? {
        let identifier = draft.identifier.flatMap { self.identifier($0, below: bundle, at: "\(place).identifier") }
        if draft.point == nil, !lacksExtensionCode, !problems.has("\(place).point") {
            problems.add("\(place).point", "fieldMissing")
        }
        if let entry = draft.entry { requireLibraryName(entry, at: "\(place).entry") }
        if let name = draft.name {
            if name.isEmpty { problems.add("\(place).name", "empty") }
            requireLength(of: name, atMost: ManifestLimits.extensionName, at: "\(place).name")
        }
        switch draft.activation {
        case nil, .object, .string: break
        default: problems.add("\(place).activation", "objectExpected")
        }
        guard let identifier, let point = draft.point, let entry = draft.entry, let name = draft.name else {
            return nil
        }
        return ExtensionDeclaration(
            identifier: identifier, point: point, entry: entry, name: name, activation: draft.activation?.text,
            limits: draft.limits)
    }

    private func identifier(_ text: String, below bundle: BundleIdentifier?, at place: String) -> BundleIdentifier? {
        guard let identifier = read(text, at: place, "notIdentifier", { BundleIdentifier($0) }) else { return nil }
        guard let bundle, !text.hasPrefix("\(bundle).") else { return identifier }
        problems.add(place, "notBelowBundle", ["text": .text(text), "bundle": .text(bundle)])
        return nil
    }

    func permissions(_ texts: [String]) -> [BundlePermission] {
        repeated(texts, in: "permissions", "nameTwice")
        return texts.enumerated().compactMap { index, text in known(text, at: "permissions[\(index)]") }
    }

    func isolation(_ text: String?) -> BundleIsolation { text.flatMap { known($0, at: "isolation") } ?? .host }

    /// Reads one of a few words, and reports any other with the nearest of them.
    private func known<Value: RawRepresentable<String> & CaseIterable>(_ text: String, at place: String) -> Value? {
        let value = Value(rawValue: text)
        if value == nil { problems.addUnknown(text, of: Value.allCases.map(\.rawValue), at: place) }
        return value
    }
}

extension ManifestFields {
    /// Reads the field `limits`, which may be missing.
    mutating func limits() -> [String: Double] {
        let limits: LimitsDraft? = optional("limits", of: "objectExpected")
        return limits?.values ?? [:]
    }

    private struct LimitsDraft: Decodable {
        var values: [String: Double] = [:]

        init(from decoder: any Decoder) throws {
            var fields = try ManifestFields(decoder)
            for name in ["start", "request", "end", "idle"] { values[name] = fields.optional(name) }
            for name in ["memory", "fileSize", "openFiles"] {
                values[name] = (fields.optional(name) as Int?).map(Double.init)
            }
            fields.reportUnknown()
        }
    }
}

extension ExtensionLimits {
    /// Returns a value as a manifest contains it.
    package static func text(_ value: Double) -> String { Int(exactly: value).map(String.init) ?? "\(value)" }
}
