import ExtensionActivation
package import PluginCore

/// The rules for extensions, extension points, permissions and isolation.
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
            let place = draft.place ?? "extensionPoints[\(index)]"
            requireValid(draft.limits, at: place)
            guard let text = draft.identifier else { return nil }
            _ = identifier(text, below: bundle, at: "\(place).identifier")
            return ExtensionPointDeclaration(identifier: text, limits: ExtensionLimits(draft.limits))
        }
        repeated(points.map(\.identifier), in: "extensionPoints", "nameTwice")
        return points
    }

    /// Validates the extensions.
    ///
    /// - Parameter points: the points that the bundle itself declares.
    func extensions(
        _ draft: ManifestDraft, of bundle: BundleIdentifier?, points: [ExtensionPointDeclaration]
    ) -> [ExtensionDeclaration] {
        let known = (ExtensionPoints.standard + points + foreignPoints).reduce(into: [:]) { limits, point in
            limits[point.identifier] = limits[point.identifier] ?? point.limits
        }
        let extensions = draft.extensions.enumerated().compactMap { index, declared in
            declaration(declared, at: "extensions[\(index)]", of: bundle, points: known)
        }
        repeated(draft.extensions.compactMap(\.identifier), in: "extensions", "nameTwice")
        repeated([draft.entry].compactMap(\.self) + draft.extensions.compactMap(\.entry), in: "extensions", "nameTwice")
        return extensions
    }

    private func declaration(
        _ draft: ManifestDraft.Extension, at place: String, of bundle: BundleIdentifier?,
        points: [String: ExtensionLimits]
    ) -> ExtensionDeclaration? {
        let identifier = draft.identifier.flatMap { self.identifier($0, below: bundle, at: "\(place).identifier") }
        if let point = draft.point {
            requirePoint(point, of: bundle, known: points, at: "\(place).point")
        } else if !lacksExtensionCode, !problems.has("\(place).point") {
            problems.add("\(place).point", "fieldMissing")
        }
        if let entry = draft.entry { requireLibraryName(entry, at: "\(place).entry") }
        if let name = draft.name {
            if name.isEmpty { problems.add("\(place).name", "empty") }
            requireLength(of: name, atMost: ManifestLimits.extensionName, at: "\(place).name")
        }
        requireValid(draft.limits, at: place)
        if let point = draft.point, let limits = points[point] { require(draft.limits, below: limits, at: place) }
        let activation = draft.activation.flatMap { self.activation($0, at: "\(place).activation") }
        guard let identifier, let point = draft.point, let entry = draft.entry, let name = draft.name else {
            return nil
        }
        return ExtensionDeclaration(
            identifier: identifier, point: point, entry: entry, name: name, activation: activation,
            limits: draft.limits)
    }

    private func identifier(_ text: String, below bundle: BundleIdentifier?, at place: String) -> BundleIdentifier? {
        guard let identifier = read(text, at: place, "notIdentifier", { BundleIdentifier($0) }) else { return nil }
        guard let bundle, !text.hasPrefix("\(bundle).") else { return identifier }
        problems.add(place, "notBelowBundle", ["text": .text(text), "bundle": .text(bundle)])
        return nil
    }

    /// Checks the point of an extension. A point of another bundle or of a host need not be known.
    private func requirePoint(
        _ point: String, of bundle: BundleIdentifier?, known: [String: ExtensionLimits], at place: String
    ) {
        if known[point] != nil { return }
        guard BundleIdentifier.isValid(point) else { return addUnknown(point, of: known.keys.sorted(), at: place) }
        if let bundle, point.hasPrefix("\(bundle)."), !lacksCode {
            problems.add(place, "pointNotDeclared", ["text": .text(point)])
        }
    }

    private func requireValid(_ limits: LoweredLimits, at place: String) {
        for field in LimitField.allCases {
            guard let value = field.value(in: limits), !field.range.contains(value) else { continue }
            problems.add(
                "\(place).limits.\(field.rawValue)", "limitInvalid",
                [
                    "value": .text(field.text(value)), "least": .text(field.text(field.range.lowerBound)),
                    "most": .text(field.text(field.range.upperBound)),
                ])
        }
    }

    private func require(_ limits: LoweredLimits, below most: ExtensionLimits, at place: String) {
        let most = LoweredLimits(most)
        for field in LimitField.allCases {
            guard let value = field.value(in: limits), let most = field.value(in: most), value > most,
                field.range.contains(value)
            else { continue }
            problems.add(
                "\(place).limits.\(field.rawValue)", "limitAbovePoint",
                ["value": .text(field.text(value)), "most": .text(field.text(most))])
        }
    }

    /// Returns the text of an activation rule, and reports each of its problems at its place.
    private func activation(_ source: ActivationSource, at place: String) -> String? {
        do throws(AtriumError) {
            return try ActivationRule(source).text
        } catch {
            for problem in error.reasons {
                if case .text(let key)? = problem.values["place"], case .reason(let reason)? = problem.values["problem"]
                {
                    problems.add("\(place).\(key)", reason)
                } else {
                    problems.add(place, problem)
                }
            }
            return nil
        }
    }

    func permissions(_ texts: [String]) -> [BundlePermission] {
        repeated(texts, in: "permissions", "nameTwice")
        return texts.enumerated().compactMap { index, text in
            let permission = BundlePermission(rawValue: text)
            if permission == nil {
                addUnknown(text, of: BundlePermission.allCases.map(\.rawValue), at: "permissions[\(index)]")
            }
            return permission
        }
    }

    func isolation(_ text: String?) -> BundleIsolation {
        guard let text else { return .host }
        guard let isolation = BundleIsolation(rawValue: text) else {
            addUnknown(text, of: BundleIsolation.allCases.map(\.rawValue), at: "isolation")
            return .host
        }
        return isolation
    }

    private func addUnknown(_ text: String, of known: [String], at place: String) {
        let nearest = problems.isFull ? nil : Nearest.words(to: text, in: known).first
        var values: [String: ErrorReason.Value] = ["text": .text(text), "known": .list(known)]
        if let nearest { values["nearest"] = .text(nearest) }
        problems.add(place, nearest == nil ? "valueUnknown" : "valueMisspelled", values)
    }
}

/// A limit of an extension's process that a manifest can set.
package enum LimitField: String, CaseIterable {
    case start
    case request
    case end
    case idle
    case memory
    case fileSize
    case openFiles

    /// The smallest and the largest value of the format: seconds, bytes, or a number of files.
    var range: ClosedRange<Double> {
        switch self {
        case .start, .end: 0.1...60
        case .request: 0.1...3600
        case .idle: 0...3600
        case .memory: 1_048_576...1_099_511_627_776
        case .fileSize: 0...1_099_511_627_776
        case .openFiles: 1...65_536
        }
    }

    package func value(in limits: LoweredLimits) -> Double? {
        switch self {
        case .start: limits.start
        case .request: limits.request
        case .end: limits.end
        case .idle: limits.idle
        case .memory: limits.memory.map(Double.init)
        case .fileSize: limits.fileSize.map(Double.init)
        case .openFiles: limits.openFiles.map(Double.init)
        }
    }

    /// Returns a value as a manifest contains it.
    package func text(_ value: Double) -> String {
        Int(exactly: value).map(String.init) ?? "\(value)"
    }
}

extension ManifestFields {
    /// Reads the field `limits`, which may be missing.
    mutating func limits() -> LoweredLimits {
        let limits: LimitsDraft? = optional("limits", of: "objectExpected")
        return limits?.values ?? LoweredLimits()
    }

    private struct LimitsDraft: Decodable {
        let values: LoweredLimits

        init(from decoder: any Decoder) throws {
            var fields = try ManifestFields(decoder)
            values = LoweredLimits(
                start: fields.optional("start"), request: fields.optional("request"), end: fields.optional("end"),
                idle: fields.optional("idle"), memory: fields.optional("memory"),
                fileSize: fields.optional("fileSize"), openFiles: fields.optional("openFiles"))
            fields.reportUnknown()
        }
    }
}

extension LoweredLimits {
    /// Creates the limits of a point, or those in which it differs from others.
    package init(_ limits: ExtensionLimits, changedFrom standard: ExtensionLimits? = nil) {
        func changed<Value: Equatable>(_ limit: KeyPath<ExtensionLimits, Value>) -> Value? {
            standard?[keyPath: limit] == limits[keyPath: limit] ? nil : limits[keyPath: limit]
        }
        self.init(
            start: changed(\.start), request: changed(\.request), end: changed(\.end), idle: changed(\.idle),
            memory: changed(\.memory), fileSize: changed(\.fileSize), openFiles: changed(\.openFiles))
    }

    /// A Boolean value that indicates whether no limit is set.
    package var isEmpty: Bool { self == LoweredLimits() }
}

extension ExtensionLimits {
    /// Creates the limits of a point from those that its declaration contains; the others have their defaults.
    package init(_ declared: LoweredLimits) {
        let standard = ExtensionLimits()
        self.init(
            start: declared.start ?? standard.start, request: declared.request ?? standard.request,
            end: declared.end ?? standard.end, idle: declared.idle ?? standard.idle,
            memory: declared.memory ?? standard.memory, fileSize: declared.fileSize ?? standard.fileSize,
            openFiles: declared.openFiles ?? standard.openFiles)
    }
}
