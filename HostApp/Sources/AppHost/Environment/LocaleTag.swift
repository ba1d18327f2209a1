extension HostEnvironment {
    /// Converts a POSIX locale to a BCP 47 tag.
    ///
    /// `zh_CN.UTF-8` becomes `zh-Hans-CN`, `de_DE@euro` becomes `de-DE`, and `C`, `POSIX` and the empty text become `en`. A text
    /// that is already a tag is unchanged. Chinese gets a script, because texts differ by script and not by country (CLDR likely
    /// subtags).
    static func tag(ofLocale locale: String) -> String {
        let name = locale.prefix { $0 != "." && $0 != "@" }
        let subtags = name.split { $0 == "_" || $0 == "-" }.map(String.init)
        guard let language = subtags.first, !["C", "POSIX"].contains(name) else { return "en" }
        let rest = subtags.dropFirst()
        let hasScript = rest.first?.count == 4
        guard language == "zh", !hasScript else { return subtags.joined(separator: "-") }
        let isTraditional = rest.first.map { ["TW", "HK", "MO"].contains($0) } ?? false
        return ([language, isTraditional ? "Hant" : "Hans"] + rest).joined(separator: "-")
    }
}
