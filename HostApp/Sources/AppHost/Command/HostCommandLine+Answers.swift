import Console

/// The answers to the scripts of shells and of installations, which are no commands.
extension HostCommandLine {
    /// Answers and ends the process, if the arguments are such a question.
    ///
    /// It answers before anything else of a process is set up, because a user waits for it at each press of the tab key. It never fails:
    /// standard error belongs to the line that the user types.
    func answerScript(_ arguments: ProgramArguments) {
        let text = HostConfiguration.$current.withValue(configuration) { answer(arguments.words) }
        guard let text else { return }
        StandardOutput.ignoreBrokenPipes()
        _ = try? StandardOutput.write(arguments.error == nil ? text : "")
        Console.ExitStatus.done.exit()
    }

    /// Returns the answer to a script; `nil` for any other command line.
    func answer(_ words: [String]) -> String? {
        if let manual = ManualAnswer(words) {
            let root = HostCommands.root.renamed(configuration.name, version: configuration.version)
            return configuration.named(help: manual.text(root) ?? "")
        }
        // The explanations of the words are in the user's language.
        return Localization.with(environment.catalog(forTextsOf: [])) {
            CompletionAnswer(words)?.text(
                CommandCompletion(HostCommands.root) { [environment] item, context in
                    HostItems(context, in: environment)?.list(item, context) ?? []
                })
        }
    }
}
