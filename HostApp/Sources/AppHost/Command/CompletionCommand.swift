import Console

/// The `hostapp completion` command.
let completionCommand = HostCommand(description: CompletionCommand.declaration(of: "hostapp")) { call in
    let script = try CompletionCommand.script(call.parsed, for: HostConfiguration.current.name)
    return Answer(text: script, json: ["script": .string(script)])
}
