import PluginCore

/// The message, remedy and exit status for one error code.
struct FailureRow: Sendable {
    let status: ExitStatus
    /// The beginning of the message, in which `{}` stands for the quoted subject.
    private let template: String
    /// Returns the remedy for an error.
    let remedy: @Sendable (AtriumError) -> String

    init(_ status: ExitStatus, _ template: String, remedy: @escaping @Sendable (AtriumError) -> String) {
        self.status = status
        self.template = template
        self.remedy = remedy
    }

    init(_ status: ExitStatus, _ template: String, remedy: String) {
        self.init(status, template) { _ in remedy }
    }

    func sentence(about subject: String) -> String {
        template.split(separator: "{}", maxSplits: 1, omittingEmptySubsequences: false).joined(
            separator: quoted(subject))
    }

    /// Returns the row of a code; `nil` for a code that Core does not define.
    static func row(of code: AtriumError.Code) -> FailureRow? { rows[code] }

    private static let rows = addresses.merging(calls) { row, _ in row }.merging(bundles) { row, _ in row }
        .merging(trust) { row, _ in row }.merging(host) { row, _ in row }
}

extension FailureRow {
    private static let addresses: [AtriumError.Code: FailureRow] = [
        .uriMalformed: FailureRow(
            .badInput, "{} is not a well-formed address",
            remedy: "correct the address; write a character with a meaning of its own as % and two hexadecimal digits"),
        .patternMalformed: FailureRow(
            .badInput, "{} is not a route pattern",
            remedy: "the plugin's author must correct the pattern; one looks like \"shop/item/:id\""),
        .routeConflict: FailureRow(
            .badInput, "two routes match the addresses of {}",
            remedy: "one of the authors must choose another pattern; until then, \"hostapp uninstall\" the other one"),
        .routeUnknown: FailureRow(
            .notFound, "no plugin handles {}",
            remedy: "correct the address, or install a plugin that handles it; \"hostapp catalog\" lists what there is"),
        .routeKind: FailureRow(
            .badInput, "{} is a route of another kind",
            remedy: "open an address of a page or a handler; only plugins can ask for the object of an object route"),
        .resourceUnknown: FailureRow(
            .notFound, "there is no resource {}",
            remedy: "correct the address or name; if it is the manifest that names it, the plugin's author must act"),
        .routeDenied: FailureRow(
            .refused, "{} was not opened",
            remedy: "do what its guard asks for, such as signing in, and open the address again"),
        .exposureDenied: FailureRow(
            .refused, "{} is not exposed to the caller",
            remedy:
                "open it from inside the app; its author lets links in with \"exposure\": \"external\" in manifest.json"
        ),
        .requestTooLarge: FailureRow(
            .badInput, "{} is longer than a link from outside may be",
            remedy: "shorten the link; what is large belongs into a file or a call from inside the app"),
        .routeCycle: FailureRow(
            .refused, "{} leads back to itself",
            remedy: "the author of one of the redirects on the way must send it elsewhere"),
        .chainTooLong: FailureRow(
            .refused, "{} was redirected too often",
            remedy: "the author of one of the calls on the way must end the chain"),
        .deadlineExceeded: FailureRow(
            .unavailable, "{} did not answer in time",
            remedy: "try again; if it stays so, tell the plugin's author, or roll the plugin back"),
        .notDeferrable: FailureRow(
            .badInput, "{} cannot wait",
            remedy: "open it now, or put what it needs into the address; only addresses are kept for later"),
        .deferredFull: FailureRow(
            .unavailable, "{} cannot be kept for later",
            remedy: "open what waits with \"hostapp deferred run\", or drop it with \"hostapp deferred clear\""),
    ]

    private static let calls: [AtriumError.Code: FailureRow] = [
        .targetUnknown: FailureRow(
            .notFound, "no bundle provides the target {}",
            remedy: "correct the name, or install a plugin that provides it; \"hostapp catalog\" lists what there is"),
        .targetConflict: FailureRow(
            .badInput, "two bundles provide the target {}",
            remedy: "one of the authors must choose another name; until then, \"hostapp uninstall\" the other one"),
        .actionUnknown: FailureRow(
            .notFound, "there is no action {}",
            remedy:
                "correct the name, or install a version of the plugin that has it; \"hostapp list\" shows the versions"
        ),
        .parameterMissing: FailureRow(
            .badInput, "the parameter {} is missing",
            remedy: "the caller must give it; in an address as ?name=value"),
        .parameterType: FailureRow(
            .badInput, "the parameter {} is of the wrong type",
            remedy: "the caller must give a value of the type that is needed"),
        .resultType: FailureRow(
            .badInput, "the result of {} is of the wrong type",
            remedy:
                "the caller's author must ask for the type that it gives; the two may be built for different versions"),
        .serviceUnknown: FailureRow(
            .notFound, "no bundle provides the service {}",
            remedy: "correct the name, or install a plugin that provides it; \"hostapp catalog\" lists what there is"),
        .serviceConflict: FailureRow(
            .badInput, "two bundles provide the service {}",
            remedy: "one of the authors must choose another name; until then, \"hostapp uninstall\" the other one"),
        .pageActionUnknown: FailureRow(
            .notFound, "the page has no action {}", remedy: "choose one of the actions that the page shows"),
    ]

    private static let bundles: [AtriumError.Code: FailureRow] = [
        .bundleUnknown: FailureRow(
            .notFound, "there is no bundle {}",
            remedy: "correct the identifier; \"hostapp catalog\" lists what can be installed, \"hostapp list\" what is"),
        .versionUnknown: FailureRow(
            .notFound, "the catalog has no {}",
            remedy: "choose a version that \"hostapp catalog\" lists, or ask the catalog's keeper to publish this one"),
        .bundleNotInstalled: FailureRow(.notFound, "{} is not installed") { install($0) },
        .bundleUnavailable: FailureRow(.notFound, "{} is no longer there") { error in
            putAnew(error) ?? "try again; \"hostapp list\" shows what is installed"
        },
        .requirementUnmet: FailureRow(
            .refused, "{} cannot be installed",
            remedy: "the catalog's keeper must offer a version that will do; \"hostapp catalog\" lists what there is"),
        .downgrade: FailureRow(.refused, "{} would be a downgrade") { error in
            let command = name(in: error).map { "run \"hostapp rollback \($0)\"" } ?? "roll the bundle back"
            return "install a newer version; or, if this one ran here before the one that is active, \(command)"
        },
        .versionReused: FailureRow(.refused, "{} is installed from another package of the same version") { error in
            let command = name(in: error).map { "\"hostapp uninstall \($0)\"" } ?? "uninstall it"
            return "raise the version in manifest.json and pack again, or run \(command) first"
        },
        .nothingToRollBack: FailureRow(
            .refused, "{} has no previous version to go back to",
            remedy: "install a newer version; \"hostapp catalog\" lists what there is"),
        .manifestInvalid: FailureRow(
            .badInput, "the manifest of {} is not valid",
            remedy: "the plugin's author must correct manifest.json and run \"bundletool pack\" again"),
        .packageInvalid: FailureRow(
            .badInput, "{} is not a sound package",
            remedy: "get the package again; if that does not help, its author must run \"bundletool pack\" again"),
        .libraryMissing: FailureRow(
            .badInput, "{} has no library for this host",
            remedy: "the plugin's author must build it for this platform and pack it with \"bundletool pack --library\""
        ),
        .libraryUnloadable: FailureRow(
            .badInput, "the library of {} cannot be loaded",
            remedy: "the plugin's author must build the library again, as a dynamic one that exports plugin_entry_v1"),
        .libraryIncompatible: FailureRow(
            .refused, "{} does not fit this host",
            remedy: "rebuild the older of the two: plugin and host need the same compiler and the same Core ABI"),
        .pluginFailed: FailureRow(
            .software, "{} failed", remedy: "tell the plugin's author what you did and what this says"),
        .startTimedOut: FailureRow(.unavailable, "{} did not finish starting") { error in
            let command = name(in: error).map { "\"hostapp rollback \($0)\"" } ?? "\"hostapp rollback ID\""
            return
                "try again; if it happens again, go back with \(command) and tell the plugin's author, who must return from "
                + "bundleDidLoad at once and do long work in a task of its own"
        },
        .bundleRefused: FailureRow(
            .refused, "{} refused to start",
            remedy:
                "do what the plugin says, or ask its author; another version is installed with \"hostapp install ID\""),
        .dependencyConflict: FailureRow(
            .refused, "{} cannot be installed together with what it needs",
            remedy: "choose other versions; \"hostapp why ID\" tells who needs what, \"hostapp catalog\" what there is"),
        .dependencyUnmet: FailureRow(
            .refused, "{} lacks a library that it is linked with",
            remedy:
                "bring the bundle at the end of the chain into that range with \"hostapp install ID\" or \"hostapp update ID\""
        ),
        .bundleNeeded: FailureRow(.refused, "{} is needed by others") { error in
            let command = name(in: error).map { "\"hostapp uninstall \($0) --cascade\"" } ?? "\"--cascade\""
            return "uninstall those first, or all of them at once with \(command)"
        },
        .quarantined: FailureRow(.refused, "{} brought the host down, and is not used any more") { error in
            let name = name(in: error)
            let version = name == nil ? "ID@VERSION" : error.subject
            return "install another version, or run \"hostapp unblock \(version)\" to let this one run again; "
                + "\"hostapp why \(name ?? "ID")\" tells what happened"
        },
        .pinned: FailureRow(.refused, "{} is excluded by a pin") { error in
            "run \"hostapp unpin \(name(in: error) ?? "ID")\" to let it move again"
        },
        .installNotAllowed: FailureRow(.refused, "{} is not installed, and may not come by itself") { error in
            "run \"hostapp install \(name(in: error) ?? "ID")\", and try again"
        },
        .nothingToUnblock: FailureRow(
            .notFound, "nothing of {} is blocked",
            remedy: "correct the identifier or the version; \"hostapp doctor\" lists what is blocked"),
        .restartNeeded: FailureRow(
            .tryLater, "{} cannot be loaded beside the version that runs",
            remedy: "end this host and start it again"),
        .defaultsInvalid: FailureRow(
            .badInput, "the setting {} of the plugin cannot be used",
            remedy: "the plugin's author must act: a key keeps the type of its value in all versions of the plugin"),
        .defaultsFull: FailureRow(
            .badInput, "{} has no space for another setting of the plugin",
            remedy: "the plugin's author must act: large data belongs in files of the plugin's container"),
        .resourceInvalid: FailureRow(
            .badInput, "the resource {} cannot be read",
            remedy: "the plugin's author must correct the file and run \"bundletool pack\" again"),
    ]

    private static let trust: [AtriumError.Code: FailureRow] = [
        .unsigned: FailureRow(.refused, "{} is not signed") { error in
            putAnew(error)
                ?? "its author must sign it: \"bundletool keygen\" once, then \"bundletool sign\" for each package"
        },
        .sealBroken: FailureRow(.refused, "{} is not what its team sealed") { error in
            putAnew(error)
                ?? "get the package again and install it; if that does not help, its author must sign it again"
        },
        .signatureInvalid: FailureRow(
            .refused, "the signature of {} does not hold",
            remedy: "get it again; if that does not help, its author must sign it again with \"bundletool sign\""),
        .teamUnknown: FailureRow(
            .refused, "{} is signed by nobody whom this host trusts",
            remedy: "if you trust its author, get their public key from them and run \"hostapp trust add\""),
        .teamForeign: FailureRow(
            .refused, "{} is signed by a team that does not own its name",
            remedy:
                "its author must choose an identifier that is theirs; \"hostapp trust list\" tells who owns which names"
        ),
        .groupForeign: FailureRow(
            .refused, "{} declares an app group of another team",
            remedy: "its author must name the group after a prefix that the team owns, such as group.com.example; "
                + "\"hostapp trust list\" tells who owns which prefixes"),
        .keyRetired: FailureRow(
            .refused, "{} is signed with a key whose time is over",
            remedy: "its author must sign it again with the team's new key"),
        .keyRevoked: FailureRow(
            .refused, "{} is signed with a key that was revoked",
            remedy:
                "install a package, of this version or another, that is signed with the team's new key; "
                + "\"hostapp trust list\" tells why"),
        .keyInvalid: FailureRow(
            .badInput, "{} is no key that can be used",
            remedy: "name the right file and give the right password; \"bundletool keygen\" makes a new pair"),
        .trustInvalid: FailureRow(
            .badInput, "the trust store {} is not valid",
            remedy: "correct the file or bring it back from a backup; without it no team is trusted"),
        .trustUnknown: FailureRow(
            .notFound, "the trust store has no team and no key {}",
            remedy: "correct the name; \"hostapp trust list\" lists the teams and their keys"),
        .trustRevoked: FailureRow(
            .refused, "key {} was revoked and cannot be trusted again",
            remedy: "get the team's new key, which \"bundletool keygen\" makes, and trust that one"),
        .trustIncomplete: FailureRow(
            .usage, "the team {} is new here and owns no names yet",
            remedy: "add \"--prefix PREFIX\": what the identifiers of its plugins start with, such as com.example"),
        .trustConflict: FailureRow(
            .refused, "{} cannot be trusted as you ask",
            remedy: "choose another; \"hostapp trust list\" tells who has which names and keys"),
    ]

    private static let host: [AtriumError.Code: FailureRow] = [
        .storageFull: FailureRow(
            .ioError, "there is not enough space at {}",
            remedy: "make space on that disk; \"hostapp gc\" removes versions that nobody needs"),
        .compositionInvalid: FailureRow(
            .badInput, "the composition {} is not valid",
            remedy: "the app's author must correct the file; \"--composition FILE\" names another"),
        .fileUnknown: FailureRow(
            .notFound, "there is no file {}",
            remedy: "correct the path; one that does not start with / starts at the folder that the command runs in"),
        .documentInvalid: FailureRow(
            .badInput, "{} is not a file of the kind that is needed",
            remedy: "name the right file; \"hostapp COMMAND --help\" says which command writes it"),
        .catalogUnreachable: FailureRow(
            .unavailable, "the catalog {} cannot be reached",
            remedy: "check that it is there and that you may read it, or name another with \"--catalog DIR\""),
        .sandboxBusy: FailureRow(
            .tryLater, "another host is using the sandbox {}",
            remedy: "end the other host, or wait until it is done, and run the command again"),
        .sandboxUnwritable: FailureRow(
            .ioError, "{} cannot be read or written",
            remedy: "get the right to read and write it from its owner; \"--sandbox DIR\" chooses another sandbox"),
        .sandboxUnusable: FailureRow(
            .ioError, "the sandbox {} cannot be used where it is",
            remedy: "choose another place with \"--sandbox DIR\""),
        .registryDamaged: FailureRow(
            .ioError, "the registry {} cannot be read",
            remedy: "run \"hostapp doctor --rebuild\", which makes it anew from what lies on the disk"),
        .registryNewer: FailureRow(
            .ioError, "the registry {} was written by a newer host",
            remedy: "run that host, or choose another sandbox with \"--sandbox DIR\""),
        .inputOutput: FailureRow(
            .ioError, "the file system failed at {}",
            remedy: "check the disk: that it is there, has space left, and lets you read and write"),
    ]

    /// Returns the command that installs the missing item, or the commands that list valid identifiers after a misspelling.
    private static func install(_ error: AtriumError) -> String {
        guard error.nearest.isEmpty, isWord(error.subject) else {
            return "correct the identifier; \"hostapp list\" lists what is installed, \"hostapp catalog\" what can be"
        }
        return "run \"hostapp install \(error.subject)\", or \"hostapp list\" to see what is installed"
    }

    /// Returns the command that reinstalls an installed version; `nil` if the subject isn't one.
    private static func putAnew(_ error: AtriumError) -> String? {
        // The subject of an installed version is its identity, that of a package is its file.
        guard error.subject.contains("@"), !error.subject.hasSuffix(".zip"), isWord(error.subject) else { return nil }
        return "run \"hostapp install \(error.subject)\", or install the package that it came from if the catalog does "
            + "not have it; that puts it in its place anew"
    }

    /// Returns the subject without its version, if it can be part of a command.
    private static func name(in error: AtriumError) -> String? {
        let name = String(error.subject.prefix { $0 != "@" })
        return isWord(name) ? name : nil
    }

    /// Returns whether a text is an identifier that can be copied into a shell, because subjects can be arbitrary text.
    private static func isWord(_ text: String) -> Bool {
        guard text.utf8.count <= 255, text.utf8.contains(UInt8(ascii: ".")) else { return false }
        let isPlain = text.unicodeScalars.allSatisfy { scalar in
            scalar.isASCII
                && (scalar.properties.isAlphabetic || "0"..."9" ~= scalar || ".-@".unicodeScalars.contains(scalar))
        }
        return isPlain && text.first?.isLetter == true
    }
}
