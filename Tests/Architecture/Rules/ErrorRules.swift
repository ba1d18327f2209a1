extension Rule {
    private static let statuses = "Packages/Tools/Sources/Console/Report/ExitStatus.swift"

    static let errorSentences = Rule("every error code and reason has a sentence, and every sentence is used") {
        repository in
        let english = LanguageTable.english
        let table = repository.languages.first(where: \.isEnglish)
        let (sentences, codes) = (table?.section("reasons") ?? [:], table?.section("errors") ?? [:])
        let sources = repository.productTargets.flatMap(\.sources).filter(\.isSwift)
        let known = Set(sources.first { $0.path == statuses }?.literals.map(\.text) ?? [])
        let others = sources.filter { $0.path != statuses && !$0.path.hasPrefix("Plugins/") }

        var findings: [Finding] = []
        for source in others {
            for use in source.reasons {
                // An error of a command gives its subject by itself.
                let implied: Set = use.isOfCommand ? ["subject"] : []
                let message =
                    if let sentence = sentences[use.name.text] {
                        use.values.flatMap { given in
                            placeholders(in: sentence.text).subtracting(given.union(implied)).min().map {
                                "gives no value {\($0)} for the sentence of the reason \(use.name.text)"
                            }
                        }
                    } else {
                        "the reason \(use.name.text) has no sentence in \(english)"
                    }
                if let message { findings.append(source.finding(at: use.name.line, message)) }
            }
            for code in source.declaredCodes {
                let missing = [(english, codes[code.text] != nil), (statuses, known.contains(code.text))]
                findings += missing.filter { !$0.1 }.map {
                    source.finding(at: code.line, "the code \(code.text) is missing in \($0.0)")
                }
            }
        }

        let used = Set(others.flatMap(\.literals).map(\.text))
        let declared = Set(others.flatMap { $0.declaredCodes.map(\.text) })
        let (reasons, remedies) = (Set(sentences.keys), Set(table?.section("remedies").keys.map(\.self) ?? []))
        for entry in table?.entries ?? [] {
            let problem: String? =
                switch entry.section {
                case "reasons" where !used.contains(entry.key): "no source gives the reason \(entry.key)"
                case "errors" where !declared.contains(entry.key): "no source declares the code \(entry.key)"
                case "errors" where !remedies.contains(entry.key): "the code \(entry.key) has no remedy"
                case "remedies" where codes[entry.key] == nil, "commands" where codes[entry.key] == nil:
                    "a remedy for the code \(entry.key), which has no sentence"
                case "reasonRemedies" where !reasons.contains(entry.key):
                    "a remedy for the reason \(entry.key), which has no sentence"
                default: nil
                }
            if let problem { findings.append(Finding(file: english, line: entry.line, message: problem)) }
        }
        return findings
    }

    static let noCommandNames = Rule("packages below the command lines name no commands") { repository in
        let others = ["Tools", "TestKit"].map { "Packages/\($0)/" }
        return repository.productTargets.flatMap(\.sources).filter { source in
            source.path.hasPrefix("Packages/") && !others.contains { source.path.hasPrefix($0) }
        }.flatMap { source in
            source.tokens.filter { $0.kind == .literal && $0.text.contains(/\b(?:hostapp|bundletool) [a-z]/) }.map {
                source.finding(at: $0.line, "names a command; allowed: a reason, which the command line words")
            }
        }
    }

    /// Returns the names in braces, without the separator after a bar.
    private static func placeholders(in sentence: String) -> Set<String> {
        Set(
            sentence.split(separator: "{").dropFirst().compactMap { part in
                part.split(separator: "}").first?.split(separator: "|").first.map(String.init)
            }.filter(\.isReasonName))
    }
}

extension SourceFile {
    fileprivate var extendsCommandError: Bool {
        tokens.indices.contains { tokens.reads("extension", "CommandError", at: $0) }
    }

    fileprivate var literals: [Token] { tokens.filter { $0.kind == .literal } }

    /// The codes that extensions of `AtriumError.Code` declare.
    fileprivate var declaredCodes: [Token] {
        let isExtended = tokens.indices.contains { tokens.reads("extension", "AtriumError", ".", "Code", at: $0) }
        return tokens.indices.dropLast(2).filter {
            isExtended && tokens.reads("Self", "(", at: $0) && tokens[$0 + 2].kind == .literal
        }.map { tokens[$0 + 2] }
    }

    /// The reasons that the file gives by name, with the names of their values if these are written beside the name.
    fileprivate var reasons: [(name: Token, values: Set<String>?, isOfCommand: Bool)] {
        tokens.indices.dropLast(2).flatMap { index -> [(name: Token, values: Set<String>?, isOfCommand: Bool)] in
            let starts = [("ErrorReason", "("), ("reason", ":")]
            guard starts.contains(where: { tokens.reads($0.0, $0.1, at: index) }) else { return [] }
            // A condition can choose between several names.
            var names: [Token] = []
            var place = index + 2
            var depth = 0
            while place < tokens.count, depth > 0 || !(tokens[place].isSymbol(",") || tokens[place].isSymbol(")")) {
                if tokens[place].isSymbol("(") || tokens[place].isSymbol("[") { depth += 1 }
                if tokens[place].isSymbol(")") || tokens[place].isSymbol("]") { depth -= 1 }
                if tokens[place].kind == .literal, depth == 0, tokens[place].text.isReasonName {
                    names.append(tokens[place])
                }
                if tokens[place].isSymbol("{") || tokens[place].isSymbol("}") { return [] }
                place += 1
            }
            let values = values(after: place)
            let error = tokens[..<index].last { token in
                ["AtriumError", "CommandError", "Self"].contains { token.isWord($0) }
            }
            let isOfCommand =
                error.map { $0.isWord("CommandError") || $0.isWord("Self") && extendsCommandError } ?? false
            return names.map { ($0, values, isOfCommand) }
        }
    }

    /// Returns the keys of the dictionary literal after a name; nil if the values are in a variable.
    private func values(after end: Int) -> Set<String>? {
        guard end < tokens.count, tokens[end].isSymbol(",") else { return [] }
        guard end + 1 < tokens.count, tokens[end + 1].isSymbol("[") else {
            // Another argument follows, such as `nearest:`.
            let isLabel = end + 2 < tokens.count && tokens[end + 2].isSymbol(":")
            return isLabel ? [] : nil
        }
        let values = tokens.contents(ofBracketAt: end + 1)
        let keys = values.indices.dropLast().filter { key in
            tokens[key].kind == .literal && tokens[key + 1].isSymbol(":") && !tokens[key - 1].isSymbol("?")
        }
        return Set(keys.map { tokens[$0].text })
    }
}

extension String {
    /// Returns whether the text can be the name of a reason or of a value.
    fileprivate var isReasonName: Bool { first?.isLowercase == true && allSatisfy { $0.isLetter || $0.isNumber } }
}
