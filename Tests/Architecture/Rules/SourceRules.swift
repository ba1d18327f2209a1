extension Rule {
    private static let systemLayer = "Packages/System/Sources/HostSystem/Libraries/DynamicLibrary.swift"
    private static let loading: Set = ["dlopen", "dlsym", "dlmopen", "dlvsym"]
    /// Files that open no library, although they look up functions of the C library that they replace.
    private static let lookups: Set = [
        "Packages/Processes/Sources/CProcesses/process_end.c", "Packages/System/Sources/CSystem/signal_stacks.c",
    ]

    /// The files that open libraries which most starts of a host do not need.
    ///
    /// libcurl is opened with the first request, and libpng with the first image.
    private static let lateLibraries: Set = [
        "Packages/Tools/Sources/TerminalImages/PNGLibrary.swift",
        "Packages/TUF/Sources/CTransfer/transfer.c",
    ]

    /// A file of tests, which opens libraries in a confined process.
    private static let testSupport = "Packages/Extensions/Tests/CBreakout/support.c"

    static let oneSystemLayer = Rule("only one file opens libraries") { repository in
        let users = repository.productTargets.flatMap(\.sources).filter {
            !$0.uses(of: lookups.contains($0.path) ? loading.subtracting(["dlsym"]) : loading).isEmpty
        }
        var findings = users.filter {
            $0.path != systemLayer && !lateLibraries.contains($0.path) && $0.path != testSupport
        }.flatMap { source in
            source.uses(of: loading).map {
                source.finding(at: $0.line, "uses \($0.text); allowed: only in \(systemLayer)")
            }
        }
        // This rule contains the name of the file, so it must be changed when the file moves.
        if repository.package(at: "Packages/System") != nil, !users.contains(where: { $0.path == systemLayer }) {
            findings.append(
                Finding(file: systemLayer, line: 1, message: "opens no library; this rule has the wrong file"))
        }
        return findings
    }

    /// The reader of files that people write, and the readers of files that programs write.
    private static let jsonReaders: Set = [
        "Packages/System/Sources/HostSystem/JSON/StrictJSON.swift",
        "Packages/Core/Sources/PluginCore/Contract/CodedValue.swift",
        "Packages/TestKit/Sources/PluginTestKit/Host/Process/ProcessResult.swift",
    ]

    static let oneReader = Rule("JSON files are read by StrictJSON alone") { repository in
        repository.productTargets.flatMap(\.sources).filter { source in
            !source.path.hasPrefix("Plugins/") && !jsonReaders.contains(source.path)
        }.flatMap { source in
            source.uses(of: ["JSONDecoder", "JSONSerialization"]).map {
                source.finding(
                    at: $0.line, "uses \($0.text), which accepts what other readers refuse; allowed: StrictJSON")
            }
        }
    }

    /// Checks what `swift format lint` leaves: `try!` and `as!` are its findings.
    static let noTraps = Rule("products do not trap on purpose") { repository in
        repository.productTargets.flatMap(\.sources).filter(\.isSwift).flatMap { source in
            source.uses(of: ["fatalError", "preconditionFailure"]).map {
                source.finding(at: $0.line, "uses \($0.text); allowed: an error, or no failure")
            }
        }
    }

    static let reasons = Rule("code that takes a check from the compiler says why") { repository in
        repository.productTargets.flatMap(\.sources).filter(\.isSwift).flatMap { source in
            source.tokens.indices.compactMap { index -> Finding? in
                let (tokens, line) = (source.tokens, source.tokens[index].line)
                let found: String? =
                    if tokens.reads("@", "unchecked", "Sendable", at: index) {
                        "@unchecked Sendable"
                    } else if tokens.reads("nonisolated", "(", "unsafe", ")", at: index) {
                        "nonisolated(unsafe)"
                    } else {
                        nil
                    }
                guard let found, !source.comments(beside: line).contains("// because") else { return nil }
                return source.finding(
                    at: line,
                    "\(found) without a reason; allowed: with \"// because ...\" on this line or the one before")
            }
        }
    }

    static let unlockedResumption = Rule("where a task can be canceled, none is resumed while a lock is held") {
        repository in
        repository.productTargets.flatMap(\.sources).filter { !$0.uses(of: ["onCancel"]).isEmpty }.flatMap { source in
            source.tokens.indices.filter { source.tokens[$0].isWord("withLock") }.flatMap { index in
                source.tokens.contents(ofBracketAt: index + 1).filter { $0.isWord("resume") }.map {
                    source.finding(
                        at: $0.line,
                        "resumes a task while a lock is held, for which the task's canceler may wait; allowed: after it"
                    )
                }
            }
        }
    }
}
