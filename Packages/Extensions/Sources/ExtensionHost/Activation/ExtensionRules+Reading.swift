import BundleFormat
import HostSystem
import PluginCore
import PluginExtension

/// The form of extensions and extension points in a manifest, and what they mean.
extension ExtensionRules {
    /// The maximum number of extensions, and of points.
    private static let listLimit = 64
    /// The maximum length of an extension's display name, in bytes.
    private static let nameLimit = 256

    /// The smallest and the largest value of each limit: seconds, bytes, or a number of files.
    private static let ranges: [(name: String, isWhole: Bool, range: ClosedRange<Double>)] = [
        ("start", false, 0.1...60), ("request", false, 0.1...3600), ("end", false, 0.1...60), ("idle", false, 0...3600),
        ("memory", true, 1_048_576...1_099_511_627_776), ("fileSize", true, 0...1_099_511_627_776),
        ("openFiles", true, 1...65_536),
    ]

    /// Reads the extensions and points of a manifest, and reports each violated rule at its place.
    func read(
        _ manifest: Manifest, reporting problems: ManifestProblems
    ) -> (extensions: [ExtensionDeclaration], points: [ExtensionPointDeclaration]) {
        // Of many versions that a plan considers, few have extensions.
        guard manifest.layerFields != "{}" else { return ([], []) }
        let fields = Array(manifest.layerFields.utf8)
        return (try? ManifestFields.read(fields, reporting: problems) { read($0, of: manifest) }) ?? ([], [])
    }

    private func read(
        _ fields: ManifestFields, of manifest: Manifest
    ) -> (extensions: [ExtensionDeclaration], points: [ExtensionPointDeclaration]) {
        let points = fields.objects("extensionPoints", limit: Self.listLimit) { fields in
            let limits = ExtensionLimits(limits(fields))
            return identifier(fields, below: manifest).map {
                ExtensionPointDeclaration(identifier: $0.text, limits: limits)
            }
        }
        let known = (ExtensionPoints.standard + points + self.points).reduce(into: [:]) { limits, point in
            limits[point.identifier] = limits[point.identifier] ?? point.limits
        }
        let extensions = fields.objects("extensions", limit: Self.listLimit) { declared($0, of: manifest, at: known) }
        fields.reportRepeated(extensions.map(\.identifier.text), in: "extensions", "nameTwice")
        let libraries = [manifest.entry].compactMap(\.self) + extensions.map(\.entry)
        fields.reportRepeated(libraries, in: "extensions", "nameTwice")
        fields.reportRepeated(points.map(\.identifier), in: "extensionPoints", "nameTwice")
        if manifest.kind != .app {
            let kind: [String: ErrorReason.Value] = ["kind": .text(manifest.kind.rawValue)]
            if !extensions.isEmpty { fields.report("extensions", "onlyApps", kind) }
            if !points.isEmpty { fields.report("extensionPoints", "onlyApps", kind) }
        }
        return (extensions, points)
    }

    private func declared(
        _ fields: ManifestFields, of manifest: Manifest, at points: [String: ExtensionLimits]
    ) -> ExtensionDeclaration? {
        let identifier = identifier(fields, below: manifest)
        let point = fields.text("point", isRequired: !lacksExtensionCode)
        if let point, points[point] == nil {
            reportUnknown(point, of: manifest, known: points.keys.sorted(), fields)
        }
        let entry = fields.text("entry", isRequired: true, or: "notLibraryName", where: ManifestReader.isLibraryName)
        let name = fields.text("name", isRequired: true, limit: Self.nameLimit)
        if name?.isEmpty == true { fields.report("name", "empty") }
        let activation: ManifestJSON? = fields.value("activation")
        switch activation {
        case nil: break
        case .object?, .string?:
            let text = activation?.text ?? ""
            _ = ActivationRule(text, at: fields.place(of: "activation"), fields.problems)
        default: fields.report("activation", "objectExpected")
        }
        let limits = limits(fields, below: point.flatMap { points[$0] })
        guard let identifier, let point, let entry, let name else { return nil }
        return ExtensionDeclaration(
            identifier: identifier, point: point, entry: entry, name: name, activation: activation?.text,
            limits: limits)
    }

    /// Reads the identifier of an extension or a point.
    private func identifier(_ fields: ManifestFields, below manifest: Manifest) -> BundleIdentifier? {
        let bundle = manifest.identity.identifier
        let identifier: BundleIdentifier? = fields.parsed("identifier", isRequired: true, or: "notIdentifier")
        guard let identifier, !identifier.text.hasPrefix("\(bundle).") else { return identifier }
        fields.report("identifier", "notBelowBundle", ["text": .text(identifier), "bundle": .text(bundle)])
        return nil
    }

    /// Reports the point of an extension that is not known, unless it is one of another bundle or of a host.
    private func reportUnknown(_ point: String, of manifest: Manifest, known: [String], _ fields: ManifestFields) {
        if !BundleIdentifier.isValid(point) {
            fields.problems.addUnknown(point, of: known, at: fields.place(of: "point"))
        } else if !lacksCode, point.hasPrefix("\(manifest.identity.identifier).") {
            fields.report("point", "pointNotDeclared", ["text": .text(point)])
        }
    }

    /// Reads the limits of an extension, which are not above those of its point, or of a point.
    private func limits(_ fields: ManifestFields, below most: ExtensionLimits? = nil) -> [String: Double] {
        fields.object("limits") { fields in
            var limits: [String: Double] = [:]
            for (name, isWhole, _) in Self.ranges {
                limits[name] = isWhole ? (fields.value(name) as Int?).map(Double.init) : fields.value(name)
                guard let problem = limits[name].flatMap({ Self.problem(of: name, $0, below: most) }) else { continue }
                fields.problems.add(fields.place(of: name), problem)
            }
            return limits
        } ?? [:]
    }

    /// Checks the limits of a process, which may come from a manifest that a host with other rules has installed.
    static func require(_ limits: ExtensionLimits, of identifier: BundleIdentifier) throws(AtriumError) {
        let problems = limits.values.sorted { $0.key < $1.key }.compactMap { name, value in
            problem(of: name, value).map { ErrorReason.at("limits.\(name)", $0) }
        }
        if !problems.isEmpty { throw AtriumError(.manifestInvalid, identifier, problems: problems) }
    }

    private static func problem(of name: String, _ value: Double, below most: ExtensionLimits? = nil) -> ErrorReason? {
        func text(_ value: Double) -> ErrorReason.Value { .text(ManifestJSON.number(value).text) }
        guard let range = ranges.first(where: { $0.name == name })?.range else { return nil }
        if !range.contains(value) {
            return ErrorReason(
                "limitInvalid",
                ["value": text(value), "least": text(range.lowerBound), "most": text(range.upperBound)])
        }
        guard let most = most?.values[name], value > most else { return nil }
        return ErrorReason("limitAbovePoint", ["value": text(value), "most": text(most)])
    }
}
