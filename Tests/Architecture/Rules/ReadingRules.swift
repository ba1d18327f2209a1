extension Rule {
    private static let reader = "Packages/Extensions/Sources/ExtensionProtocol/Frames/WireReader.swift"
    /// The modules of what a host and the process of an extension or plugin send to each other.
    private static let modules = ["ExtensionProtocol", "ExtensionProcess", "ExtensionRunner"]
    /// The names that make a value of bytes or of a number without the budget of the reader.
    private static let ways: Set = [
        "loadUnaligned", "assumingMemoryBound", "bindMemory", "unsafeBitCast", "JSONDecoder", "StrictJSON",
    ]
    /// The functions of the reader that count the depth.
    private static let nesting: Set = ["nested", "readList"]

    static let boundedReading = Rule("what another process sends is read within a budget") { repository in
        let sources = repository.productTargets.flatMap(\.sources).filter { source in
            let isOfModule = modules.contains { source.path.hasPrefix("Packages/Extensions/Sources/\($0)/") }
            return source.isSwift && (isOfModule || !source.uses(of: ["WireReader"]).isEmpty)
        }
        var findings = sources.filter { $0.path != reader }.flatMap(findings)
        // This rule contains the name of the file, so it must be changed when the file moves.
        if !sources.isEmpty, !sources.contains(where: { $0.path == reader && !$0.uses(of: nesting).isEmpty }),
            repository.productTargets.contains(where: { $0.name == "ExtensionProtocol" })
        {
            findings.append(Finding(file: reader, line: 1, message: "is not the reader; this rule has the wrong file"))
        }
        return findings
    }

    private static func findings(in source: SourceFile) -> [Finding] {
        var found = source.uses(of: ways).map { ($0.line, "makes a value by \($0.text); allowed: WireReader") }
        found += source.durations.map { ($0, "makes a duration of a number; allowed: readDeadline(of:)") }
        found += source.countedReads.map { ($0, "reads in a loop; allowed: readList(copies:_:)") }
        found += source.recursions(outside: nesting).map { ($0, "reads a value in a value; allowed: nested(_:)") }
        return found.map { source.finding(at: $0.0, $0.1) }
    }
}

extension SourceFile {
    private func isCall(at index: Int) -> Bool { index + 1 < tokens.count && tokens[index + 1].isSymbol("(") }

    /// The lines that make a duration of seconds that are no literal.
    fileprivate var durations: [Int] {
        tokens.indices.compactMap { index in
            guard tokens[index].text == "seconds", index > 0, tokens[index - 1].isSymbol("."), isCall(at: index),
                index + 2 < tokens.count, tokens[index + 2].text.first?.isNumber == false
            else { return nil }
            return tokens[index].line
        }
    }

    /// The lines with loops whose number or body is read.
    fileprivate var countedReads: [Int] {
        // Before a colon, it is the label of an argument.
        let loops = Set(
            tokens.indices.filter {
                tokens[$0].kind == .word && tokens[$0].text == "for" && $0 + 1 < tokens.count
                    && !tokens[$0 + 1].isSymbol(":")
            }.map { tokens[$0].line })
        let reads = tokens.indices.filter { tokens[$0].text.hasPrefix("read") && isCall(at: $0) }.map {
            tokens[$0].line
        }
        return Set(reads).filter(loops.contains).sorted()
    }

    /// The lines of functions that call themselves and none of some others.
    fileprivate func recursions(outside others: Set<String>) -> [Int] {
        tokens.indices.compactMap { index in
            guard tokens[index].text == "func", index + 1 < tokens.count, tokens[index + 1].text.hasPrefix("read"),
                let start = tokens[index...].firstIndex(where: { $0.isSymbol("{") })
            else { return nil }
            let body = tokens.contents(ofBracketAt: start).indices
            let isRecursive = body.contains { tokens[$0].text == tokens[index + 1].text && isCall(at: $0) }
            return isRecursive && !body.contains { others.contains(tokens[$0].text) } ? tokens[index].line : nil
        }
    }
}
