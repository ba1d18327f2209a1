import PluginCore

extension LintRule {
    static let licenseMissing = LintRule(
        "license-missing", .warning, "the terms of use are unknown",
        remedy: "add \"license\" to manifest.json, an SPDX expression such as \"Apache-2.0\", or "
            + "\"LicenseRef-Proprietary\" for terms of your own"
    ) { $0.manifest.map { $0.license == nil } == true ? [Problem("manifest.json", "\"license\" is missing")] : [] }

    static let homepageMissing = LintRule(
        "homepage-missing", .warning, "users do not know where to find help",
        remedy: "add \"homepage\" to manifest.json, an https address"
    ) { $0.manifest.map { $0.homepage == nil } == true ? [Problem("manifest.json", "\"homepage\" is missing")] : [] }
}
