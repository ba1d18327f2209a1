import Foundation
import PluginCore
import PluginTestKit
import Testing

/// The files of a page and its commands, which a test writes and runs in order, as a reader would.
///
/// A code block is the file whose name ends the paragraph before: "`Hello/Hello.swift`:". If the file "contains:" the block, the test compares.
/// A block of commands begins with "$ "; a line of output below a command must be printed after the line before it, without a gap unless
/// "..." stands for one. Numbers and digests may differ. The commands below that of a debugger begin with "(lldb) ".
struct Walkthrough {
    enum Step {
        case write(String, to: String)
        case compare(String, with: String)
        case run(Command)
    }

    struct Command {
        var line: String
        var debugger: [String] = []
        var output: [String] = []
    }

    private var steps: [Step]

    var commands: [Command] { steps.compactMap { if case .run(let command) = $0 { command } else { nil } } }

    /// Changes the commands.
    mutating func edit(_ body: (inout Command) -> Void) {
        for index in steps.indices {
            guard case .run(var command) = steps[index] else { continue }
            body(&command)
            steps[index] = .run(command)
        }
    }

    /// Reads the steps of a page.
    init(_ page: DocumentPage) throws {
        let parts = page.text.components(separatedBy: "```")
        var steps: [Step] = []
        for (index, part) in parts.enumerated() where index % 2 == 1 {
            let block = String(part.drop { $0 != "\n" }.dropFirst())
            if block.hasPrefix("$ ") {
                steps += Self.commands(of: block).map { .run($0) }
            } else if let file = parts[index - 1].firstMatch(of: /`([^`\s]+\.(?:swift|json))`( contains)?:\s*$/) {
                let name = String(file.output.1)
                steps.append(file.output.2 == nil ? .write(block, to: name) : .compare(block, with: name))
            }
        }
        self.steps = steps
    }

    private static func commands(of block: String) -> [Command] {
        var commands: [Command] = []
        for line in block.split(separator: "\n").map(String.init) {
            if line.hasPrefix("$ ") {
                commands.append(Command(line: String(line.dropFirst(2))))
            } else if let last = commands.indices.last {
                if line.hasPrefix("(lldb) ") { commands[last].debugger.append(String(line.dropFirst("(lldb) ".count))) }
                commands[last].output.append(line)
            }
        }
        return commands
    }

    /// Writes the files and runs the commands in an empty folder, in a shell that finds the programs of the SDK.
    ///
    /// - Parameter debugger: The program that the command "lldb" stands for.
    func follow(debugger: String = "lldb") async throws {
        let place = try await Workplace()
        let folder = place.folder
        let path = "\(place.sdk.appending("bin").string):\(place.environment["PATH"] ?? "")"
        let environment = place.environment.merging(["PATH": path, "LLDB": debugger]) { _, given in given }
        let shell = Executable("/bin/bash", leading: ["-o", "pipefail", "-e", "-c"], environment: environment)
        for step in steps {
            switch step {
            case .write(let text, let name): try folder.write(text, to: name)
            case .compare(let text, let name):
                let whole = try folder.appending(name).text
                #expect(whole.contains(text.trimmingCharacters(in: .whitespacesAndNewlines)), "\(name): \(whole)")
            case .run(let command):
                let result = try await shell.run(
                    "exec 2>&1\n\(command.shellLine)", folder: folder.path, timeout: .seconds(300)
                ).succeeded()
                #expect(command.missingLine(in: result.stdout) == nil, "\(result)")
            }
        }
    }
}

extension Walkthrough.Command {
    /// The command for a shell; a debugger reads its commands from its arguments.
    var shellLine: String {
        // A debugger that detaches or follows a child process ends before the program does. The pipe is open until both have ended.
        if line.hasPrefix("gdb ") { return "\(line) | cat" }
        guard line.hasPrefix("lldb ") else { return line }
        let options = debugger.map { "-o '\($0.replacing("'", with: "'\\''"))'" }.joined(separator: " ")
        return "\"$LLDB\" --batch \(options) \(line.dropFirst("lldb ".count)) | cat"
    }

    /// Returns the first line of the page that the output lacks at its place.
    ///
    /// A debugger and the program print at the same time, so only the debugger's commands must come in order.
    func missingLine(in text: String) -> String? {
        var printed = text.split(whereSeparator: \.isNewline).map { comparable(String($0)) }[...]
        guard debugger.isEmpty else {
            var earlier: [String] = []
            for line in output.map(comparable) where line != "..." {
                if let place = printed.firstIndex(where: { Self.matches($0, line) }) {
                    earlier += printed[..<place]
                    printed = printed[(place + 1)...]
                } else if !line.hasPrefix("(lldb)"), let place = earlier.firstIndex(where: { Self.matches($0, line) }) {
                    earlier.remove(at: place)
                } else {
                    return line
                }
            }
            return nil
        }
        var mayHaveGap = false
        for line in output {
            if line == "..." {
                mayHaveGap = true
                continue
            }
            let expected = comparable(line)
            guard let place = printed.firstIndex(where: { Self.matches($0, expected) }),
                mayHaveGap || place == printed.startIndex
            else { return line }
            printed = printed[(place + 1)...]
            mayHaveGap = false
        }
        return nil
    }

    private static func matches(_ printed: String, _ expected: String) -> Bool {
        guard let gap = expected.firstRange(of: "...") else { return printed == expected }
        return printed.hasPrefix(expected[..<gap.lowerBound]) && printed.hasSuffix(expected[gap.upperBound...])
    }

    /// Returns a line without what differs from run to run: the numbers of keys, processes and addresses, and the style of a terminal.
    private func comparable(_ line: String) -> String {
        let plain = line.replacing(/\u{1B}\[[0-9;]*m/, with: "").trimmingCharacters(in: .whitespaces)
        return debugger.isEmpty
            ? plain.replacing(/\b[0-9A-F]{16}\b/, with: "N")
            : plain.replacing(/0x[0-9a-f]+|\b[0-9]{3,}\b/, with: "N")
    }
}
