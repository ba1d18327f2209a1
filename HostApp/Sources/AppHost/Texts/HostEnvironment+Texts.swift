import Console

extension HostEnvironment {
    /// Returns the texts in the language that a command line or the environment asks for.
    ///
    /// With `--json`, texts are in English, so that scripts read the same document in every language. The command line may be invalid,
    /// because its error is in that language, too.
    func catalog(forTextsOf arguments: [String]) -> TextCatalog {
        let options = arguments.prefix { $0 != "--" }
        guard !options.contains("--json") else { return .english }
        let name = "--language"
        let joined = options.last { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
        let following = options.lastIndex(of: name).flatMap { options.dropFirst($0 + 1).first }
        let tag = (joined ?? following).map(Self.tag(ofLocale:)) ?? languages.first
        return tag.map(TextCatalog.isSimplifiedChinese) == true ? .simplifiedChinese : .english
    }
}
