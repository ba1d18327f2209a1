package import PluginCore

/// The form of extensions, extension points, permissions and isolation. What they mean is known to the layer that runs extensions.
extension ManifestRules {
    func extensions(
        _ fields: ManifestFields, of bundle: BundleIdentifier?, besides entry: String?
    ) -> [ExtensionDeclaration] {
        let extensions = fields.objects("extensions", limit: ManifestLimits.extensions) { declared($0, below: bundle) }
        repeated(extensions.map(\.identifier.text), in: "extensions", "nameTwice", fields)
        repeated([entry].compactMap(\.self) + extensions.map(\.entry), in: "extensions", "nameTwice", fields)
        return extensions
    }

    func extensionPoints(_ fields: ManifestFields, of bundle: BundleIdentifier?) -> [ExtensionPointDeclaration] {
        let points = fields.objects("extensionPoints", limit: ManifestLimits.extensionPoints) { fields in
            let limits = ExtensionLimits(limits(fields))
            return identifier(fields, below: bundle).map {
                ExtensionPointDeclaration(identifier: $0.text, limits: limits)
            }
        }
        repeated(points.map(\.identifier), in: "extensionPoints", "nameTwice", fields)
        return points
    }

    func permissions(_ fields: ManifestFields) -> [BundlePermission] {
        var permissions: [BundlePermission] = []
        let names = fields.texts("permissions", limit: ManifestLimits.permissions) { text, place in
            if let permission: BundlePermission = known(text, at: place, fields) { permissions.append(permission) }
        }
        repeated(names, in: "permissions", "nameTwice", fields)
        return permissions
    }

    /// Reads one of a few words, and reports any other with the nearest of them.
    func known<Word: RawRepresentable<String> & CaseIterable>(
        _ text: String, at place: String, _ fields: ManifestFields
    ) -> Word? {
        let word = Word(rawValue: text)
        if word == nil { fields.problems.addUnknown(text, of: Word.allCases.map(\.rawValue), at: place) }
        return word
    }

    private func declared(_ fields: ManifestFields, below bundle: BundleIdentifier?) -> ExtensionDeclaration? {
        let identifier = identifier(fields, below: bundle)
        let point = fields.text("point", isRequired: !lacksExtensionCode)
        let entry = fields.text("entry", isRequired: true, or: "notLibraryName", where: Self.isLibraryName)
        let name = fields.text("name", isRequired: true, limit: ManifestLimits.extensionName)
        if name?.isEmpty == true { fields.report("name", "empty") }
        let activation: ManifestJSON? = fields.value("activation")
        switch activation {
        case nil, .object, .string: break
        default: fields.report("activation", "objectExpected")
        }
        let limits = limits(fields)
        guard let identifier, let point, let entry, let name else { return nil }
        return ExtensionDeclaration(
            identifier: identifier, point: point, entry: entry, name: name, activation: activation?.text,
            limits: limits)
    }

    /// Reads the identifier of an extension or a point.
    private func identifier(_ fields: ManifestFields, below bundle: BundleIdentifier?) -> BundleIdentifier? {
        let identifier: BundleIdentifier? = fields.parsed("identifier", isRequired: true, or: "notIdentifier")
        guard let identifier, let bundle, !identifier.text.hasPrefix("\(bundle).") else { return identifier }
        fields.report("identifier", "notBelowBundle", ["text": .text(identifier), "bundle": .text(bundle)])
        return nil
    }

    /// Reads the limits of an extension or a point, which may be missing.
    private func limits(_ fields: ManifestFields) -> [String: Double] {
        fields.object("limits") { fields in
            var limits: [String: Double] = [:]
            for name in ["start", "request", "end", "idle"] { limits[name] = fields.value(name) }
            for name in ["memory", "fileSize", "openFiles"] {
                limits[name] = (fields.value(name) as Int?).map(Double.init)
            }
            return limits
        } ?? [:]
    }
}

extension ExtensionLimits {
    /// Returns a value as a manifest contains it.
    package static func text(_ value: Double) -> String { Int(exactly: value).map(String.init) ?? "\(value)" }
}
