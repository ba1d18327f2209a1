import PluginCore

// The fields that only people read, in a catalog.
extension ManifestRules {
    /// Validates the license and the address of the web page.
    func publication(_ draft: ManifestDraft) {
        if let license = draft.license {
            if license.utf8.count > ManifestLimits.license {
                problems.add("license", "tooLong", ["limit": .integer(ManifestLimits.license)])
            } else if !LicenseExpression.isValid(license) {
                problems.add("license", "notLicense", ["text": .text(license)])
            }
        }
        if let homepage = draft.homepage {
            if homepage.utf8.count > ManifestLimits.homepage {
                problems.add("homepage", "tooLong", ["limit": .integer(ManifestLimits.homepage)])
            } else if !Self.isSecureAddress(homepage) {
                problems.add("homepage", "notHomepage", ["text": .text(homepage)])
            }
        }
    }

    /// Returns whether a text is an `https` address with a host and without a user's name, which could imitate another host.
    private static func isSecureAddress(_ text: String) -> Bool {
        let scheme = "https://"
        guard text.hasPrefix(scheme) else { return false }
        let rest = text.unicodeScalars.dropFirst(scheme.unicodeScalars.count)
        let authority = rest.prefix { !"/?#".unicodeScalars.contains($0) }
        return !authority.isEmpty && authority.first != ":" && !authority.contains("@")
            && rest.allSatisfy { "!"..."~" ~= $0 && !"\"<>\\^`{|}".unicodeScalars.contains($0) }
    }
}
