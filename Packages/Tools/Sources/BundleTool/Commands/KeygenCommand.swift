import BundleFormat
import Console
import PluginCore

/// The `bundletool keygen` command.
enum KeygenCommand {
    static let declaration = Command(
        "keygen", summary: "Create a team's key pair: a secret file and a public file.",
        discussion: """
            The secret key signs packages, and is encrypted with a password that is asked for on the terminal. The \
            public key is given to hosts, which identify the team by it; it is in minisign's format. Existing files \
            are never overwritten.
            """,
        options: [
            .value(
                "output", short: "o", placeholder: "name", default: "team",
                kind: .file, help: "The files are <name>.key and <name>.pub."),
            .value(
                "password-file", placeholder: "file",
                kind: .file, help: "A file whose first line is the password; - for standard input."),
            .flag("no-password", help: "Do not encrypt the secret key: anyone who can read the file can sign with it."),
        ],
        examples: [
            .init("bundletool keygen --output keys/example", "Create keys/example.key and keys/example.pub:"),
            .init("hostapp trust add com.example --key keys/example.pub --prefix com.example", "Make a host trust it:"),
        ])

    /// Creates a key pair.
    ///
    /// - Parameter ask: shows a prompt on the terminal and returns the typed line.
    static func run(
        _ parsed: ParsedCommand, on terminal: Terminal,
        ask: KeyPassword.Asking = { try SecretInput.line(prompt: $0) }
    ) throws -> Reply {
        let name = parsed.value("output") ?? ""
        guard let last = name.split(separator: "/", omittingEmptySubsequences: false).last, !last.isEmpty,
            ![".", "..", ".key", ".pub"].contains(last)
        else {
            throw UsageError(
                .invalidValue, subject: "--output", expected: ["the name of a file, without its extension"],
                command: ["bundletool", "keygen"], value: name)
        }
        if parsed.flag("no-password"), parsed.count("password-file") > 0 {
            throw UsageError(
                .conflictingOptions, subject: "--no-password", expected: ["--password-file"],
                command: ["bundletool", "keygen"])
        }
        try KeyPair.requireRoom(for: name)
        let pair = try KeyPair(named: name, password: password(parsed, name: name, ask))
        return parsed.flag("json") ? Reply(document: pair.json) : Reply(text: pair.text(for: terminal))
    }

    private static func password(
        _ parsed: ParsedCommand, name: String, _ ask: KeyPassword.Asking
    ) throws -> String? {
        if parsed.flag("no-password") { return nil }
        if let file = parsed.value("password-file") { return try KeyPassword.first(lineOf: FilePath(file)) }
        do {
            return try KeyPassword.new(for: KeyPair.files(of: name).secret, ask)
        } catch SecretInput.Failure.noTerminal {
            throw parsed.missing("--password-file <file>", adding: "--password-file <file>")
        } catch SecretInput.Failure.canceled {
            throw AtriumError(.keyInvalid, name, reason: "noPassword")
        }
    }
}
