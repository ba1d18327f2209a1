import CatalogFormat
import Console
import PluginCore

extension LintRule {
    private static let icon = "Resources/icon.png"
    /// The first bytes of a PNG file (PNG 3, section 5.2).
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    static let iconMissing = LintRule(
        "icon-missing", .warning, "there is no icon, so a catalog shows a placeholder",
        remedy: "add \(icon)"
    ) { subject in
        guard subject.manifest?.kind == .app, subject.resources.icon == nil else { return [] }
        return [Problem(icon, "it is missing")]
    }

    static let iconUnusable = LintRule(
        "icon-unusable", .warning, "a catalog cannot show the icon",
        remedy: "make \(icon) a PNG file of at most \(byteCount(CatalogLimits.iconSize))"
    ) { subject in
        guard let content = subject.resources.icon else { return [] }
        if content.count > CatalogLimits.iconSize { return [Problem(icon, "it has \(byteCount(content.count))")] }
        return content.starts(with: signature) ? [] : [Problem(icon, "it is not a PNG file")]
    }
}
