import CrashReports
import Glibc
import HostSystem
public import PluginCore
import Processes

/// The functions and lines of calls, from debug files by build ID as `bundletool pack` keeps them.
///
/// ```swift
/// let places = try CrashSymbols(folder: "packages/symbols", searchPath: "/usr/bin").places(of: report)
/// ```
struct CrashSymbols {
    /// A place in a source.
    struct Place: Hashable {
        let function: String, line: String
    }

    /// The folder with the folder `.build-id`.
    let folder: FilePath
    /// The folders in which the program is looked for, with colons between them.
    let searchPath: String

    /// The programs that read debug files, the toolchain's first, with their options.
    ///
    /// They print each address, and then two lines for each function that is inlined there, innermost first: its name, and its line.
    private static let programs = [
        ("llvm-symbolizer", ["--output-style=GNU", "-a", "-f", "-i", "-e"]), ("addr2line", ["-a", "-f", "-i", "-e"]),
    ]

    /// Returns the debug file of a build.
    private func file(of build: String) -> FilePath {
        folder.appending(".build-id/\(build.prefix(2))/\(build.dropFirst(2)).debug")
    }

    /// Returns the places of the calls that have a debug file.
    ///
    /// - Throws: ``AtriumError`` with code `symbolizerMissing`, or `inputOutput`.
    func places(of report: RecordedCrash) throws(AtriumError) -> [RecordedCrash.Call: Place] {
        var places: [RecordedCrash.Call: Place] = [:]
        for (owner, build) in report.builds where InputFile.isThere(file(of: build)) {
            let calls = report.calls.filter { $0.owner == owner }
            let found = Self.programs.lazy.compactMap { name, options in
                SystemProgram.find(name, on: searchPath).map { ($0, options) }
            }.first
            guard let (program, options) = found else { throw AtriumError(.symbolizerMissing, Self.programs[0].0) }
            let addresses = calls.map { "0x" + String($0.address, radix: 16) }
            let printed = try SystemProgram.output(of: program, options + [file(of: build).string] + addresses)
            let answers = printed.split(separator: "\n").split { $0.hasPrefix("0x") }
            for (call, answer) in zip(calls, answers) where answers.count == calls.count {
                places[call] = Self.place(in: answer.map(String.init))
            }
        }
        return places
    }

    /// Returns the innermost place in a source, or else that of the function; `nil` if nothing is known.
    private static func place(in lines: [String]) -> Place? {
        let places = stride(from: 0, to: lines.count - 1, by: 2).map { index in
            let (name, line) = (lines[index], FilePath(String(lines[index + 1].prefix { $0 != " " })).lastComponent)
            let isKnown = !line.hasPrefix("?") && !line.hasPrefix("<")
            return Place(function: Demangling.swiftName(of: name) ?? name, line: isKnown ? line : "")
        }
        return places.first { !$0.line.isEmpty } ?? places.last { $0.function != "??" }
    }
}

extension AtriumError.Code {
    /// No program that reads debug files is installed.
    public static let symbolizerMissing = Self("symbolizerMissing")
}
