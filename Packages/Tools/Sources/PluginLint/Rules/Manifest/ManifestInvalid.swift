extension LintRule {
    static let manifestInvalid = LintRule(
        "manifest-invalid", .error, "the manifest breaks a rule of its format, or contradicts the code",
        remedy: "correct manifest.json, or the declarations in the code; \"bundletool pack\" refuses it, too"
    ) { $0.refusals["manifest-invalid"] ?? [] }
}
