import Console
import PluginCore
import PluginRuntime
import SystemLinks

/// The `hostapp links` command.
let linksCommand = HostCommand(
    description: Command(
        "links", summary: "Let the system open the app's links with this program.",
        discussion: """
            A desktop file in the user's data folder says that this program opens addresses such as app://shop. A web browser \
            then hands such a link to the app that runs, or starts it. Only what plugins expose to links can be reached. \
            --sandbox, --catalog and --composition apply to these links, too.
            """,
        examples: [
            Command.Example("hostapp links register"),
            Command.Example("xdg-open app://shop/item/42", "what a web browser does then"),
        ],
        subcommands: [
            Command("register", summary: "Become the program for the app's links."),
            Command("unregister", summary: "No longer be the program for the app's links."),
            Command(
                "status", summary: "Show which program opens the app's links.",
                discussion: "Exits with status 1 if it is not this one."),
        ]
    )
) { call in
    let registration = try call.linkRegistration()
    switch call.parsed.path.last {
    case "register":
        let steps = try await registration.register()
        return answer(localized("Wrote \(registration.file.string).\n"), registration, steps)
    case "unregister":
        guard let steps = try await registration.unregister() else {
            return answer(localized("It was not registered.\n"), registration, [])
        }
        return answer(localized("Removed \(registration.file.string).\n"), registration, steps)
    default: return try await status(registration)
    }
}

private func answer(
    _ text: String, _ registration: LinkRegistration, _ steps: [LinkRegistration.Step]
) -> Answer {
    let lines = steps.compactMap { step -> String? in
        switch step.outcome {
        case .done: nil
        case .missing:
            localized(
                "Did not run \(step.words[0]), which is missing: install the package \(step.package), and run the command again.\n"
            )
        case .failed(let output):
            localized("\(printable(step.words.joined(separator: " "))) failed: \(printable(output))\n")
        }
    }
    let isDone = steps.allSatisfy { $0.outcome == .done }
    return Answer(
        text: text + lines.joined(),
        json: [
            "file": .string(registration.file.string),
            "steps": .array(
                steps.map { step in
                    [
                        "command": .strings(step.words),
                        "outcome": .string(
                            step.outcome == .done ? "done" : step.outcome == .missing ? "missing" : "failed"),
                    ]
                }),
        ],
        status: isDone ? .done : .unavailable)
}

private func status(_ registration: LinkRegistration) async throws -> Answer {
    let status = try await registration.status()
    let own = status.file.lastComponent
    let isDefault = !status.defaults.isEmpty && status.defaults.values.allSatisfy { $0 == own }
    var text =
        !status.isThere
        ? localized("Not registered; \"hostapp links register\" does it.\n")
        : status.isCurrent
            ? localized("Registered by \(status.file.string).\n")
            : localized(
                "Registered by \(status.file.string) for another program or sandbox; "
                    + "\"hostapp links register\" replaces it.\n")
    for (scheme, program) in status.defaults.sorted(by: { $0.key < $1.key }) {
        text += localized("\(scheme): links open with \(printable(program)).\n")
    }
    return Answer(
        text: HostConfiguration.current.naming(text),
        json: [
            "file": .string(status.file.string), "registered": .bool(status.isThere),
            "current": .bool(status.isCurrent),
            "defaults": .object(
                status.defaults.sorted { $0.key < $1.key }.map { ($0.key, JSONText.string($0.value)) }),
        ],
        status: status.isCurrent && isDefault ? .done : .different)
}

extension HostCall {
    /// The registration of this program with the options of this call.
    ///
    /// - Throws: `UsageError` if the user has no home folder, or its path is not valid UTF-8.
    fileprivate func linkRegistration() throws(UsageError) -> LinkRegistration {
        guard let folders = try environment.userFolders() else {
            throw UsageError(
                .missingArgument, subject: localized("the variable HOME"), expected: ["links"],
                command: ["HOME=DIR", "hostapp"])
        }
        var words = [environment.program.string]
        for option in ["sandbox", "composition"] {
            if let path = parsed.value(option) { words += ["--\(option)", try resolve(path).string] }
        }
        if let place = parsed.value("catalog") {
            let isAddress = place.contains("://")
            words += ["--catalog", isAddress ? place : try resolve(place).string]
        }
        let host = HostConfiguration.current
        return LinkRegistration(
            name: host.name, command: words + ["open", "--external"], schemes: host.linkSchemes,
            in: LinkRegistration.Surroundings(
                data: folders.data, configuration: folders.configuration, searchPath: environment.searchPath,
                variables: environment.userVariables))
    }
}
