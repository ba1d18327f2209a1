import BundleFormat
import Console
import ExtensionHost
import PluginCore
import PluginValidation

/// The `bundletool validate` command.
let validateCommand = ProgramCommand(
    "validate", arguments: [.optional("bundle", kind: .either([.folder, .package]))],
    options: [
        .value("only", placeholder: "check", repeatable: true, kind: .words(ValidationCheck.all.map(\.identifier))),
        .flag("list"), .flag("trust-code"), DependencyOption.declaration,
        .value("against", kind: .folder),
        .value("address", placeholder: "url", repeatable: true), .value("seed", placeholder: "number"),
        .value("opens", placeholder: "number", default: "\(ValidationSettings.defaultOpens)"),
        .value("deadline", placeholder: "seconds", default: "\(ValidationSettings.defaultDeadline)"),
        .value("timeout", placeholder: "seconds", default: "\(defaultTimeout)"), .flag("in-process"),
        SDKRuns.option,
    ]
) { parsed, terminal in
    if parsed.flag("list") { return list(for: terminal) }
    guard let bundle = parsed.argument("bundle"), !bundle.isEmpty else { throw parsed.missing("<bundle>") }
    let checks = try checks(in: parsed)
    let limits = 1...86_400
    let seed = try parsed.integer("seed", in: 0...Int.max) ?? Int(UInt32.random(in: 0 ... .max))
    let opens = try parsed.integer("opens", in: 1...1_000_000) ?? ValidationSettings.defaultOpens
    let deadline = try parsed.integer("deadline", in: limits) ?? ValidationSettings.defaultDeadline
    let timeout = try parsed.integer("timeout", in: limits) ?? defaultTimeout
    return try Files.withTemporaryFolder { folder in
        let given = parsed.files("dependency")
        let project = FilePath(bundle).isFolder ? try PluginProject.at(bundle) : nil
        let dependencies = try project?.packages(besides: given) ?? given
        let package = try package(FilePath(bundle), of: project, dependencies, folder)
        let manifest = try PackageFile(path: package).manifest()
        try ExtensionRules().require(manifest, of: package.lastComponent)
        let identity = manifest.identity
        if manifest.kind == .lib { throw CommandError(.usage, identity, reason: "libraryNotValidated") }
        try Files.packages(dependencies)
        let release = try parsed.file("against").flatMap {
            try PublishedPackages.at($0).releasePackage(before: identity)
        }
        if !parsed.flag("trust-code") {
            // Who has added a plugin's Interface trusts its team, so its package runs without a question, as in "run".
            let packages = [package] + given + [release].compactMap(\.self)
            try requireTrust(in: packages, besides: project == nil ? nil : package)
        }
        try ValidationPackages.sign([package] + dependencies, in: folder, at: Environment.now())
        var released: BundleIdentity?
        if let release {
            let folder = ValidationSettings.releaseFolder(in: folder)
            try ValidationPackages.sign([package, release] + dependencies, in: folder, at: Environment.now())
            released = try PackageFile(path: release).manifest().identity
        }
        let settings = ValidationSettings(
            folder: folder, package: identity, after: released,
            runner: HelperProcess.program.parent.appending("extension-runner"),
            addresses: parsed.values("address"), seed: UInt64(seed), opens: opens, deadline: deadline)
        if let address = try settings.unknownAddresses().first {
            throw CommandError(.usage, address, reason: "addressUnknown", ["identity": "\(identity)"])
        }
        if parsed.flag("in-process") {
            let request = CheckRequest(
                settings: settings, checks: checks.map(\.identifier), isJSON: parsed.flag("json"))
            // That process removes the folder.
            try InheritingProcess.replace(
                by: HelperProcess.program, HelperProcess.words(.checks(request), answeringTo: nil))
        }
        var results: [CheckResult] = []
        for check in checks {
            let process = CheckProcess(settings: settings, limit: .seconds(timeout))
            results.append(try CheckResult(skipping: check, after: results) ?? process.result(of: check))
        }
        return Answer(about: identity, seed: settings.seed, results, for: terminal)
    }
}

/// The default time limit for a check, in seconds.
private let defaultTimeout = 300

/// Returns the package, which is built first if a folder is given.
private func package(
    _ bundle: FilePath, of project: PluginProject?, _ dependencies: [FilePath], _ folder: FilePath
) throws -> FilePath {
    guard let project else {
        try Files.packages([bundle])
        return bundle
    }
    let packer = Packer(
        folder: project.folder, library: try project.build(.release, isQuiet: true), dependencies: dependencies)
    return try packer.pack(
        into: folder.appending("packed"), warn: { StandardOutput.note("warning: \(printable($0))\n") })
}

/// Returns the chosen checks, after the one that they require.
private func checks(in parsed: ParsedCommand) throws -> [ValidationCheck] {
    let identifiers = ValidationCheck.all.map(\.identifier)
    let chosen = parsed.values("only")
    for name in chosen where !identifiers.contains(name) {
        throw parsed.invalid("--only", name, identifiers, nearest: Nearest.words(to: name, in: identifiers).first)
    }
    guard !chosen.isEmpty else {
        return ValidationCheck.all.filter {
            $0.identifier != ValidationCheck.thereAndBack || parsed.value("against") != nil
        }
    }
    return ValidationCheck.all.filter {
        $0.identifier == ValidationCheck.load.identifier || chosen.contains($0.identifier)
    }
}

private func list(for terminal: Terminal) -> Answer {
    let table = Table(["CHECK", "REQUIREMENT"], rows: ValidationCheck.all.map { [$0.identifier, $0.summary] })
    return Answer(
        text: table.rendered(for: terminal),
        json: ["checks": ValidationCheck.all.map { JSONText(["id": $0.identifier, "summary": $0.summary]) }])
}

/// Asks the user whether the code in packages may run that no host confines.
///
/// - Parameter built: the package that was built for this validation; `nil` for none.
/// - Throws: ``CommandError`` after a no, and without a terminal; `AtriumError` for an invalid package.
private func requireTrust(in packages: [FilePath], besides built: FilePath?) throws {
    let unconfined = try packages.map { (path: $0, manifest: try PackageFile(path: $0).manifest()) }
        .filter { $0.manifest.entry != nil && $0.manifest.isolation != .process }
    let apps = unconfined.filter { $0.manifest.kind != .lib }
    // A library runs in the process of the plugin that requires it.
    let libraries = apps.isEmpty ? [] : unconfined.filter { $0.manifest.kind == .lib }
    let bundles = (apps + libraries).filter { $0.path != built }.map(\.manifest.identity)
    guard !bundles.isEmpty else { return }
    let quoted = bundles.map { "\"\($0)\"" }
    let names = quoted.joined(separator: ", ")
    guard TerminalQuestion.isPossible,
        TerminalQuestion.confirm("The code of \(names) was not built here, and runs with all your rights. Run it?")
    else {
        throw CommandError(
            .refused, bundles.map(\.description).joined(separator: ", "), reason: "codeNotTrusted",
            ["bundles": .list(quoted)])
    }
}
