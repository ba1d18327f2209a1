extension LintRule {
    static let resourceInvalid = LintRule(
        "resource-invalid", .error,
        "a layout or string table cannot be read, or a route names a layout that is missing",
        remedy: "correct the file; \"bundletool pack\" refuses it, too"
    ) { $0.refusals["resource-invalid"] ?? [] }

    package static let fileStray = LintRule(
        "file-stray", .warning, "a file was probably added by mistake, or is not read because of its name",
        remedy: "remove or rename the file"
    ) { subject in
        subject.resources.names.compactMap { name in
            StrayFile.doubt(about: name).map { Problem("Resources/\(name)", $0) }
        }
    }

    package static let fileScale = LintRule(
        "file-scale", .warning, "an image for a scale is not found",
        remedy: "rename the file, or add the image for scale 1"
    ) { subject in
        let known = Set(subject.resources.names)
        return subject.resources.names.compactMap { name in
            ScaledFile.doubt(about: name, among: known).map { Problem("Resources/\(name)", $0) }
        }
    }
}
