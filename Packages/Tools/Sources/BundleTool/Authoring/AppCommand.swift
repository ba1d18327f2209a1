import Authoring
import Console
import PluginCore

/// The `bundletool app` command, whose subcommands are for an app as a whole.
let appCommand = ProgramCommand(
    "app",
    subcommands: [
        Command(
            "package", arguments: [.optional("app", kind: .either([.folder, .json]))],
            options: [
                .value("output", short: "o", default: "dist", kind: .folder),
                .value("key", short: "k", kind: .file(ending: ".key")), KeyPassword.option,
                .value("host", kind: .file), .value("packages", kind: .folder), .value("trust", kind: .json),
                .flag("runtime-only"), .flag("debian"), .value("maintainer", placeholder: "text"),
            ])
    ]
) { parsed, _ in
    if parsed.value("maintainer") != nil, !parsed.flag("debian") {
        throw parsed.missing("--debian", adding: "--debian")
    }
    let output = try CurrentFolder.resolve(parsed.value("output") ?? "dist", in: ["bundletool", "app"])
    guard !output.exists || Files.isEmptyFolder(output) else {
        throw CommandError(.badInput, output, reason: "outputUsed")
    }
    let place = try CurrentFolder.resolve(parsed.argument("app") ?? ".", in: ["bundletool", "app"])
    let sources = place.isFile ? try AppSources(bundleJSON: place, in: parsed) : try built(place, in: parsed)
    if parsed.flag("runtime-only"), sources.catalogs == nil {
        throw CommandError(.usage, sources.composition.parent, reason: "catalogsMissing")
    }
    // The folder gets its name when it is complete, so that a failed command can be repeated.
    let fresh = output.parent.appending(Files.passingName)
    defer { Files.removeTree(fresh) }
    let packages = try AppPackage(sources: sources, folder: fresh).make(isRuntimeOnly: parsed.flag("runtime-only"))
    Files.removeTree(output)
    try Files.move(fresh, to: output)
    let app = AppPackage(sources: sources, folder: output)
    let file = parsed.flag("debian") ? try app.makeDebianPackage(by: parsed.value("maintainer")) : nil
    let note =
        sources.isForDevelopment
        ? "warning: the packages are signed with the development key; --key names another one\n" : ""
    return Answer(
        text: "Packaged \(printable(file ?? output))\n",
        json: [
            "folder": output, "program": output.appending("bin/\(sources.program)"), "debianPackage": file,
            "packages": packages,
        ], note: note)
}

/// Builds a workspace for release.
private func built(_ folder: FilePath, in parsed: ParsedCommand) throws -> AppSources {
    guard let workspace = Workspace(in: folder) else {
        throw CommandError(.notFound, folder, reason: "workspaceMissing")
    }
    for option in ["host", "packages", "trust"] where parsed.value(option) != nil {
        throw CommandError(.usage, "--\(option)", reason: "onlyForBundleJSON")
    }
    let sealer = try parsed.file("key").map { key in
        try SigningRequest(
            key: key, passwordFile: parsed.file("password-file"), team: "", time: Environment.now()
        ).sealer()
    }
    let packages = try workspace.build(.release, isQuiet: parsed.flag("json"), signedBy: sealer).packages
    return try AppSources(of: workspace, packages, isForDevelopment: sealer == nil)
}
