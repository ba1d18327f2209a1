extension HostEnvironment {
    /// The language of a POSIX locale as a BCP 47 tag: `zh_CN.UTF-8` is `zh-Hans-CN`, `de_DE@euro` is `de-DE`, and `C`,
    /// `POSIX` and nothing are `en`. What is a tag already stays one.
    ///
    /// Chinese gets its script, because that and not the country is what texts differ by (CLDR's likely subtags).
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
