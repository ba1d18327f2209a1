import Console
import HostSystem
import PluginCore

/// The runs of a command with several SDKs, each by the `bundletool` of that SDK, so that an author sees whether a plugin works with all.
struct SDKRuns {
    /// The option that names an SDK.
    static let option = Command.Option.value("sdk", placeholder: "dir", repeatable: true, kind: .folder)

    private let sdks: [SDK]
    private let words: [String]
    private let isJSON: Bool

    /// Reads the SDKs of a command line.
    ///
    /// - Returns: `nil` if it names none.
    /// - Throws: ``CommandError`` for a folder that is no SDK.
    init?(_ parsed: ParsedCommand, _ words: [String]) throws {
        let folders = parsed.files(Self.option.name)
        guard !folders.isEmpty else { return nil }
        sdks = try folders.map { try SDK(at: CurrentFolder.resolve($0.string, in: parsed.path)) }
        isJSON = parsed.flag("json")
        let name = "--\(Self.option.name)"
        var (kept, rest) = ([String](), words[...])
        while let word = rest.popFirst() {
            // The rest is for Swift.
            if word == "--" {
                kept += [word] + rest
                break
            }
            if word == name { rest = rest.dropFirst() }
            if word != name, !word.hasPrefix("\(name)=") { kept.append(word) }
        }
        self.words = kept
    }

    /// Runs the command with each SDK, also after it has failed with one. The exit status is the highest of them.
    func answer(for terminal: Terminal) throws -> Answer {
        var (rows, results, worst) = ([[String]](), [JSONText](), Int32(0))
        for sdk in sdks {
            let facts = sdk.facts
            let name = facts?.version ?? sdk.root.lastComponent
            StandardOutput.note("With the SDK \(printable(name)) in \(printable(sdk.root))\n")
            let (status, document) = try run(sdk)
            worst = max(worst, status)
            rows.append([status == 0 ? "passed" : "failed", name, printable(sdk.root), "status \(status)"])
            results.append([
                "sdk": sdk.root, "version": facts?.version, "coreABI": facts?.coreABI, "swift": facts?.swift,
                "status": Int(status), "result": document,
            ])
        }
        return Answer(
            text: Table(["", "", "", ""], rows: rows).rendered(for: terminal), json: ["sdks": results],
            status: ExitStatus(rawValue: worst))
    }

    /// Runs the command with an SDK, whose document is `null` if the command has printed none.
    private func run(_ sdk: SDK) throws -> (status: Int32, document: JSONText) {
        guard isJSON else { return (try InheritingProcess.run(sdk.bundletool.string, words, isQuiet: false), .null) }
        let (status, output) = try InheritingProcess.output(of: sdk.bundletool.string, words)
        let isDocument = (try? StrictJSON.check(output)) != nil
        return (status, isDocument ? .document(String(decoding: output, as: UTF8.self)) : .null)
    }
}
