/// The command `completion`, which prints the script for a shell.
public enum CompletionCommand {
    /// The declaration of the command in a program.
    public static func declaration(of program: String) -> Command {
        Command(
            "completion", summary: "Print the script with which a shell completes command lines.",
            discussion: """
                The script asks the program for the words that can follow, so that it completes commands, options and names \
                that exist only here. Load it when the shell starts, with one of these lines:

                  bash, in ~/.bashrc: source <(hostapp completion bash)
                  zsh, in ~/.zshrc, after compinit: source <(hostapp completion zsh)
                  fish, in ~/.config/fish/config.fish: hostapp completion fish | source
                """.naming(program),
            arguments: [
                .required(
                    "SHELL", kind: .words(CompletionAnswer.Shell.allCases.map(\.rawValue)), help: "bash, zsh or fish.")
            ],
            examples: [Command.Example("\(program) completion fish", "for fish")]
        )
    }

    /// Returns the answer with the script that a parsed command asks for.
    ///
    /// - Parameter program: the name with which users start the program.
    public static func answer(_ parsed: ParsedCommand, for program: String) throws(UsageError) -> Answer {
        let word = parsed.argument("SHELL") ?? ""
        guard let shell = CompletionAnswer.Shell(rawValue: word) else {
            throw UsageError(
                .invalidValue, subject: "<SHELL>", expected: CompletionAnswer.Shell.allCases.map(\.rawValue),
                command: [program, "completion"], value: word)
        }
        let script = CompletionScript.text(for: program, in: shell)
        return Answer(text: script, json: ["script": .string(script)])
    }
}

extension String {
    /// Returns the text with a program's name in place of hostapp's.
    ///
    /// Each start of hostapp makes this text. Searching it would take longer than making all other texts.
    fileprivate func naming(_ program: String) -> String {
        program == "hostapp" ? self : replacing("hostapp", with: program)
    }
}
