import PluginCore

/// The sentence, remedy and exit status for one error code.
///
/// A sentence is a template, in which `{}` stands for the quoted subject.
struct ErrorMessage: Sendable {
    let status: ExitStatus
    private let template: String
    private let remedy: String
    /// The remedy for a subject that can be part of a command.
    ///
    /// {id} is the identifier, {subject} the identifier with the version if there is one, and {identity} requires a version.
    private let naming: String?

    init(_ status: ExitStatus, _ template: String, remedy: String, naming: String? = nil) {
        self.status = status
        self.template = template
        self.remedy = remedy
        self.naming = naming
    }

    func sentence(about subject: String) -> String {
        localized(key: template).split(separator: "{}", maxSplits: 1, omittingEmptySubsequences: false).joined(
            separator: quoted(subject))
    }

    func remedy(for error: AtriumError) -> String {
        if let remedy = error.reason.flatMap({ Self.remedies[$0.name] }) { return localized(key: remedy) }
        guard let naming, error.nearest.isEmpty, Self.isWord(error.subject) else { return localized(key: remedy) }
        // The subject of an installed version is its identity, that of a package is its file.
        let isIdentity = error.subject.contains("@") && !error.subject.hasSuffix(".zip")
        guard isIdentity || !naming.contains("{identity}") else { return localized(key: remedy) }
        return localized(key: naming).replacing("{id}", with: error.subject.prefix { $0 != "@" })
            .replacing("{subject}", with: error.subject).replacing("{identity}", with: error.subject)
    }

    /// Returns whether a text is an identifier that can be copied into a shell, because subjects can be arbitrary text.
    private static func isWord(_ text: String) -> Bool {
        guard text.utf8.count <= 255, text.utf8.contains(UInt8(ascii: ".")) else { return false }
        let isPlain = text.unicodeScalars.allSatisfy { scalar in
            scalar.isASCII
                && (scalar.properties.isAlphabetic || "0"..."9" ~= scalar || ".-+@".unicodeScalars.contains(scalar))
        }
        return isPlain && text.first?.isLetter == true
    }

    /// The messages by the name of the code, because each module has its own codes.
    static let all = [addresses, calls, bundles, trust, host].reduce(into: [:]) { all, part in
        all.merge(part) { message, _ in message }
    }
}

extension ErrorMessage {
    private static let addresses: [String: ErrorMessage] = [
        "uriMalformed": ErrorMessage(
            .badInput, "{} is not a well-formed address",
            remedy: "correct the address; percent-encode its reserved characters"),
        "patternMalformed": ErrorMessage(
            .badInput, "{} is not a route pattern",
            remedy: "the plugin's author must correct the pattern; an example is \"shop/item/:id\""),
        "routeConflict": ErrorMessage(
            .badInput, "{} conflicts with another route",
            remedy: "one author must change the pattern; "
                + "until then, uninstall one of the plugins with \"hostapp uninstall\""),
        "routeUnknown": ErrorMessage(
            .notFound, "no plugin handles {}",
            remedy: "correct the address, or install a plugin that handles it; "
                + "\"hostapp catalog\" lists what is available"),
        "routeKind": ErrorMessage(
            .badInput, "{} is the wrong kind of route",
            remedy: "open the address of a page or a handler; only plugins can request an object"),
        "resourceUnknown": ErrorMessage(
            .notFound, "there is no resource {}",
            remedy: "correct the address or name; if the manifest names it, the plugin's author must correct it"),
        "routeDenied": ErrorMessage(
            .refused, "{} was not opened",
            remedy: "do what its guard requires, such as signing in, and open the address again"),
        "exposureDenied": ErrorMessage(
            .refused, "{} is not exposed to the caller",
            remedy:
                "open it from inside the app; "
                + "its author can allow links with \"exposure\": \"external\" in manifest.json"
        ),
        "requestTooLarge": ErrorMessage(
            .badInput, "{} is too long for an external link",
            remedy: "shorten the link; pass large values in a file or in a call from inside the app"),
        "routeCycle": ErrorMessage(
            .refused, "{} leads back to itself",
            remedy: "the author of one of the redirects must change its destination"),
        "chainTooLong": ErrorMessage(
            .refused, "{} was redirected too often",
            remedy: "the author of one of the calls in the chain must end it"),
        "deadlineExceeded": ErrorMessage(
            .unavailable, "{} did not answer in time",
            remedy: "try again; if it happens again, tell the plugin's author, or roll the plugin back"),
    ]

    private static let calls: [String: ErrorMessage] = [
        "targetUnknown": ErrorMessage(
            .notFound, "no bundle provides the target {}",
            remedy: "correct the name, or install a plugin that provides it; "
                + "\"hostapp catalog\" lists what is available"),
        "targetConflict": ErrorMessage(
            .badInput, "two bundles provide the target {}",
            remedy: "one author must choose another name; "
                + "until then, uninstall one of the plugins with \"hostapp uninstall\""),
        "actionUnknown": ErrorMessage(
            .notFound, "there is no action {}",
            remedy:
                "correct the name, or install a version of the plugin that has it; \"hostapp list\" shows the versions"
        ),
        "parameterMissing": ErrorMessage(
            .badInput, "the parameter {} is missing",
            remedy: "the caller must pass it; in an address as ?name=value"),
        "parameterType": ErrorMessage(
            .badInput, "the parameter {} has the wrong type",
            remedy: "the caller must pass a value of the expected type"),
        "resultType": ErrorMessage(
            .badInput, "the result of {} has the wrong type",
            remedy:
                "the caller's author must use the type that it returns; the two may be built for different versions"),
        "serviceUnknown": ErrorMessage(
            .notFound, "no bundle provides the service {}",
            remedy: "correct the name, or install a plugin that provides it; "
                + "\"hostapp catalog\" lists what is available"),
        "serviceConflict": ErrorMessage(
            .badInput, "two bundles provide the service {}",
            remedy: "one author must choose another name; "
                + "until then, uninstall one of the plugins with \"hostapp uninstall\""),
        "extensionUnknown": ErrorMessage(
            .notFound, "no installed plugin contains the extension {}",
            remedy: "correct the identifier, or install the plugin that contains it"),
        "extensionUndeclared": ErrorMessage(
            .notFound, "the plugin's manifest does not declare the extension {}",
            remedy: "the plugin's author must add it to \"extensions\" in the manifest, or correct the identifier"),
        "extensionConflict": ErrorMessage(
            .badInput, "two bundles contain the extension or extension point {}",
            remedy: "one author must choose another identifier; "
                + "until then, uninstall one of the plugins with \"hostapp uninstall\""),
        "pageActionUnknown": ErrorMessage(
            .notFound, "the page has no action {}", remedy: "choose one of the actions that the page shows"),
        "fieldInvalid": ErrorMessage(
            .badInput, "the field does not accept {}", remedy: "enter one of the values that the page lists"),
    ]

    private static let bundles: [String: ErrorMessage] = [
        "bundleUnknown": ErrorMessage(
            .notFound, "there is no bundle {}",
            remedy: "correct the identifier; "
                + "\"hostapp catalog\" lists what can be installed, \"hostapp list\" what is installed"),
        "versionUnknown": ErrorMessage(
            .notFound, "the catalog has no {}",
            remedy: "choose a version that \"hostapp catalog\" lists, or ask the catalog's maintainer to publish "
                + "this one"),
        "bundleNotInstalled": ErrorMessage(
            .notFound, "{} is not installed",
            remedy: "correct the identifier; \"hostapp list\" lists what is installed, \"hostapp catalog\" what can be",
            naming: "run \"hostapp install {subject}\", or \"hostapp list\" to see what is installed"),
        "bundleUnavailable": ErrorMessage(
            .notFound, "{} is no longer available", remedy: "try again; \"hostapp list\" shows what is installed",
            naming: "reinstall it with \"hostapp install {identity}\", or from its package if the catalog does "
                + "not have it"),
        "requirementUnmet": ErrorMessage(
            .refused, "{} cannot be installed",
            remedy: "the catalog's maintainer must provide a compatible version; "
                + "\"hostapp catalog\" lists what is available"),
        "downgrade": ErrorMessage(
            .refused, "{} would be a downgrade",
            remedy: "install a newer version; or, if this one ran here before the active one, roll the bundle back",
            naming: "install a newer version; or, if this one ran here before the active one, "
                + "run \"hostapp rollback {id}\""),
        "versionReused": ErrorMessage(
            .refused, "{} is installed from a different package of the same version",
            remedy: "raise the version in manifest.json and pack again, or uninstall it first",
            naming: "raise the version in manifest.json and pack again, or run \"hostapp uninstall {id}\" first"),
        "nothingToRollBack": ErrorMessage(
            .refused, "{} has no previous version to go back to",
            remedy: "install a newer version; \"hostapp catalog\" lists what is available"),
        "manifestInvalid": ErrorMessage(
            .badInput, "the manifest of {} is not valid",
            remedy: "the plugin's author must correct manifest.json and run \"bundletool pack\" again"),
        "activationInvalid": ErrorMessage(
            .badInput, "{} is not a valid activation rule",
            remedy: "the extension's author must correct \"activation\" in manifest.json"),
        "packageInvalid": ErrorMessage(
            .badInput, "{} is not a valid package",
            remedy: "get the package again; if that does not help, its author must run \"bundletool pack\" again"),
        "libraryMissing": ErrorMessage(
            .badInput, "{} has no library for this host",
            remedy: "the plugin's author must build it for this platform and pack it with \"bundletool pack --library\""
        ),
        "libraryUnloadable": ErrorMessage(
            .badInput, "the library of {} cannot be loaded",
            remedy: "the plugin's author must rebuild it as a dynamic library that exports plugin_entry_v2"),
        "libraryIncompatible": ErrorMessage(
            .refused, "{} is not compatible with this host",
            remedy: "rebuild the older of the two: plugin and host need the same compiler and the same Core ABI"),
        "extensionDisabled": ErrorMessage(
            .refused, "the extension {} is disabled", remedy: "run \"hostapp extension enable ID\"",
            naming: "run \"hostapp extension enable {id}\""),
        "extensionInactive": ErrorMessage(
            .badInput, "the extension {} does not accept this input",
            remedy: "choose another extension, or another input"),
        "extensionMismatch": ErrorMessage(
            .badInput, "the extension {} is not for this extension point",
            remedy: "if its manifest was written by hand, pack the plugin again; otherwise tell its author"),
        "extensionPointUnknown": ErrorMessage(
            .notFound, "no extension point {}", remedy: "\"hostapp extension points\" lists them"),
        "extensionCrashed": ErrorMessage(
            .software, "the extension {} crashed",
            remedy: "try again; if it happens again, disable the extension, and send this message to its author"),
        "extensionOutOfMemory": ErrorMessage(
            .unavailable, "the extension {} used more memory than it may",
            remedy: "try it with less or smaller input, and tell the extension's author"),
        "extensionTimedOut": ErrorMessage(
            .unavailable, "the extension {} did not respond in time",
            remedy: "try again; if it happens again, disable the extension, and tell its author"),
        "extensionProtocolBroken": ErrorMessage(
            .software, "the process of the extension {} broke a rule of the protocol",
            remedy: "disable the extension, and send this message to its author"),
        "extensionEnded": ErrorMessage(
            .unavailable, "the process of the extension {} was ended", remedy: "try again"),
        "pluginCrashed": ErrorMessage(
            .software, "{} crashed in its process",
            remedy: "try again; the next request starts it; if it happens again, send this message to its author"),
        "pluginEnded": ErrorMessage(.unavailable, "the process of {} was ended", remedy: "try again"),
        "pluginFailed": ErrorMessage(
            .software, "{} failed", remedy: "send this message to the plugin's author, and say what you did"),
        "startTimedOut": ErrorMessage(
            .unavailable, "{} did not finish starting",
            remedy:
                "try again; if it happens again, run \"hostapp rollback ID\" and tell the plugin's author, who must "
                + "return from init(context:) soon and do long work in a separate task",
            naming:
                "try again; if it happens again, run \"hostapp rollback {id}\" and tell the plugin's author, who must "
                + "return from init(context:) soon and do long work in a separate task"),
        "bundleRefused": ErrorMessage(
            .refused, "{} refused to start",
            remedy:
                "do what the plugin says, or ask its author; \"hostapp install ID\" installs another version"),
        "dependencyConflict": ErrorMessage(
            .refused, "{} cannot be installed because of a dependency conflict",
            remedy: "choose other versions; "
                + "\"hostapp why ID\" shows who needs what, \"hostapp catalog\" what is available"),
        "dependencyUnmet": ErrorMessage(
            .refused, "{} is linked with a library that is not available",
            remedy:
                "move the last bundle of the chain into that range with \"hostapp install ID\" or \"hostapp update ID\""
        ),
        "bundleNeeded": ErrorMessage(
            .refused, "{} is required by other bundles",
            remedy: "uninstall those first, or all of them at once with \"--cascade\"",
            naming: "uninstall those first, or all of them at once with \"hostapp uninstall {id} --cascade\""),
        "quarantined": ErrorMessage(
            .refused, "{} is quarantined",
            remedy: "install another version, or run \"hostapp unblock ID@VERSION\" to let this one run again; "
                + "\"hostapp why ID\" shows what happened",
            naming: "install another version, or run \"hostapp unblock {subject}\" to let this one run again; "
                + "\"hostapp why {id}\" shows what happened"),
        "pinned": ErrorMessage(
            .refused, "{} is excluded by a pin", remedy: "run \"hostapp unpin ID\" to remove the limit",
            naming: "run \"hostapp unpin {id}\" to remove the limit"),
        "excludedByApp": ErrorMessage(
            .refused, "{} does not belong to the app",
            remedy: "install a version that bundle.json allows, or change the range of the bundle in bundle.json"),
        "appIncomplete": ErrorMessage(
            .notFound, "no catalog has what the app needs of {}",
            remedy: "correct bundle.json, or put packages of these bundles into the catalog"),
        "lockInvalid": ErrorMessage(
            .badInput, "the lock {} is not valid",
            remedy: "restore the file, or remove it and write it again with \"hostapp app lock\""),
        "lockOutdated": ErrorMessage(
            .refused, "the lock {} does not fit bundle.json",
            remedy:
                "run \"hostapp app lock\" to lock what has changed, or \"hostapp app update\" for the newest versions"),
        "lockMismatch": ErrorMessage(
            .refused, "{} is not what the lock of the app names",
            remedy:
                "find out why it differs; to accept it, lock it with \"hostapp app lock --update\"; an installed version "
                + "has to be uninstalled first"),
        "installNotAllowed": ErrorMessage(
            .refused, "{} is not installed, and cannot be installed on demand",
            remedy: "run \"hostapp install ID\", and try again",
            naming: "run \"hostapp install {id}\", and try again"),
        "nothingToUnblock": ErrorMessage(
            .notFound, "no version of {} is blocked",
            remedy: "correct the identifier or the version; \"hostapp doctor\" lists what is blocked"),
        "crashUnknown": ErrorMessage(
            .notFound, "there is no crash report {}",
            remedy: "correct the name; \"hostapp crashes\" lists the reports"),
        "restartNeeded": ErrorMessage(
            .tryLater, "{} cannot be loaded while another version is running",
            remedy: "quit this host and start it again"),
        "defaultsInvalid": ErrorMessage(
            .badInput, "the setting {} of the plugin cannot be used",
            remedy: "the plugin's author must keep the type of a key's value in all versions of the plugin"),
        "defaultsFull": ErrorMessage(
            .badInput, "{} has no space for another setting of the plugin",
            remedy: "the plugin's author must store large data in files of the plugin's container"),
        "groupUndeclared": ErrorMessage(
            .notFound, "the plugin's manifest does not declare the app group {}",
            remedy: "the plugin's author must add it to \"appGroups\" in the manifest, or correct the name"),
        "groupFileInvalid": ErrorMessage(
            .badInput, "{} is not a file that an app group can have",
            remedy: "the plugin's author must correct the name, or remove what is in the file's place"),
        "catalogInvalid": ErrorMessage(
            .badInput, "the catalog's data of {} is not valid",
            remedy: "the catalog's maintainer must publish it again with \"bundletool publish\""),
        "catalogMismatch": ErrorMessage(
            .refused, "the package is not the {} that the catalog describes",
            remedy: "download it again; if that does not help, the catalog's maintainer must publish it again"),
        "resourceInvalid": ErrorMessage(
            .badInput, "the resource {} cannot be read",
            remedy: "the plugin's author must correct the file and run \"bundletool pack\" again"),
    ]

    private static let trust: [String: ErrorMessage] = [
        "unsigned": ErrorMessage(
            .refused, "{} is not signed",
            remedy: "its author must sign it: \"bundletool keygen\" once, then \"bundletool sign\" for each package",
            naming: "reinstall it with \"hostapp install {identity}\", or from its package if the catalog does "
                + "not have it"),
        "sealBroken": ErrorMessage(
            .refused, "{} does not match its seal",
            remedy: "get the package again and install it; if that does not help, its author must sign it again",
            naming: "reinstall it with \"hostapp install {identity}\", or from its package if the catalog does "
                + "not have it"),
        "signatureInvalid": ErrorMessage(
            .refused, "the signature of {} is not valid",
            remedy: "get it again; if that does not help, its author must sign it again with \"bundletool sign\""),
        "teamUnknown": ErrorMessage(
            .refused, "{} is not signed by a team that this host trusts",
            remedy: "if you trust its author, get their public key from them and run \"hostapp trust add\""),
        "teamForeign": ErrorMessage(
            .refused, "{} is signed by a team that does not own its identifier",
            remedy:
                "its author must choose an identifier that the team owns; "
                + "\"hostapp trust list\" shows the prefixes of each team"
        ),
        "groupForeign": ErrorMessage(
            .refused, "{} declares an app group of another team",
            remedy: "its author must name the group after a prefix that the team owns, such as group.com.example; "
                + "\"hostapp trust list\" shows the prefixes of each team"),
        "keyRetired": ErrorMessage(
            .refused, "{} is signed with a retired key",
            remedy: "its author must sign it again with the team's new key"),
        "keyRevoked": ErrorMessage(
            .refused, "{} is signed with a key that was revoked",
            remedy:
                "install a package signed with the team's new key; \"hostapp trust list\" shows the reason"),
        "keyInvalid": ErrorMessage(
            .badInput, "{} is not a usable key",
            remedy: "check the file and the password; \"bundletool keygen\" creates a new key pair"),
        "trustInvalid": ErrorMessage(
            .badInput, "the trust store {} is not valid",
            remedy: "correct the file or restore it from a backup; without it no team is trusted"),
        "trustUnknown": ErrorMessage(
            .notFound, "the trust store has no team or key {}",
            remedy: "correct the name; \"hostapp trust list\" lists the teams and their keys"),
        "trustRevoked": ErrorMessage(
            .refused, "key {} was revoked and cannot be trusted again",
            remedy: "get the team's new key, made with \"bundletool keygen\", and trust that one"),
        "trustIncomplete": ErrorMessage(
            .usage, "the team {} is new and owns no prefix yet",
            remedy: "add \"--prefix PREFIX\", the beginning of its plugins' identifiers, such as com.example"),
        "trustConflict": ErrorMessage(
            .refused, "{} cannot be added to the trust store",
            remedy: "choose another; \"hostapp trust list\" shows the prefixes and keys of each team"),
    ]

    private static let host: [String: ErrorMessage] = [
        "sourcesInvalid": ErrorMessage(
            .badInput, "the list of catalogs {} is not valid",
            remedy: "correct the file, or remove it and add the catalogs again with \"hostapp catalog add\""),
        "storageFull": ErrorMessage(
            .ioError, "there is not enough disk space at {}",
            remedy: "free space on that disk; \"hostapp gc\" removes versions that are not needed"),
        "compositionInvalid": ErrorMessage(
            .badInput, "the composition {} is not valid",
            remedy: "the app's author must correct the file; \"--composition FILE\" names another",
            naming: "install another version of it, or go back with \"hostapp rollback {id}\""),
        "fileUnknown": ErrorMessage(
            .notFound, "there is no file {}",
            remedy: "correct the path; a relative path starts at the current folder"),
        "documentInvalid": ErrorMessage(
            .badInput, "{} is not the expected kind of file",
            remedy: "name the right file; \"hostapp COMMAND --help\" says which command writes it"),
        "graphvizMissing": ErrorMessage(
            .unavailable, "the program {} of Graphviz is not installed",
            remedy:
                "install it, on Debian with \"apt-get install graphviz\"; \"--format dot\" and \"--format json\" need no Graphviz"
        ),
        "graphvizFailed": ErrorMessage(
            .unavailable, "the program {} of Graphviz could not draw the graph",
            remedy: "draw it with another tool: \"hostapp graph --format dot\" prints it"),
        "catalogUnreachable": ErrorMessage(
            .unavailable, "the catalog {} cannot be reached",
            remedy: "check that it exists and is readable, or choose another with \"--catalog DIR|URL\""),
        "catalogNotFetched": ErrorMessage(
            .tryLater, "the catalog {} was not asked yet",
            remedy: "run the command again"),
        "catalogUntrusted": ErrorMessage(
            .refused, "the catalog {} is not trusted",
            remedy: "ask its owner, and install nothing from it until then"),
        "downloadFailed": ErrorMessage(
            .unavailable, "{} could not be downloaded",
            remedy: "run the command again; it continues where the download ended"),
        "packageNotDownloaded": ErrorMessage(
            .tryLater, "the package of {} is still to be downloaded",
            remedy: "run the command again"),
        "sandboxBusy": ErrorMessage(
            .tryLater, "another host is using the sandbox {}",
            remedy: "quit the other host, or wait until it finishes, and run the command again"),
        "sandboxUnwritable": ErrorMessage(
            .ioError, "{} cannot be read or written",
            remedy: "ask its owner for permission to read and write it; \"--sandbox DIR\" chooses another sandbox"),
        "sandboxUnusable": ErrorMessage(
            .ioError, "the sandbox {} cannot be used",
            remedy: "choose another place with \"--sandbox DIR\""),
        "registryDamaged": ErrorMessage(
            .ioError, "the registry {} cannot be read",
            remedy: "run \"hostapp doctor --rebuild\", which rebuilds it from the installed versions"),
        "registryNewer": ErrorMessage(
            .ioError, "the registry {} was written by a newer host",
            remedy: "run that host, or choose another sandbox with \"--sandbox DIR\""),
        "systemLinkDenied": ErrorMessage(
            .refused, "{} was not passed on to the system", remedy: "copy the link, and open it yourself"),
        "systemLinkFailed": ErrorMessage(
            .unavailable, "the system could not open {}",
            remedy: "choose a program for such links in the settings of your desktop, or open the link yourself"),
        "confinementFailed": ErrorMessage(
            .unavailable, "the process that runs the extension could not be confined at {}",
            remedy: "check that the bundle and its folders exist; if they do, please report it"),
        "inputOutput": ErrorMessage(
            .ioError, "a file operation failed at {}",
            remedy: "check that the disk is available and has free space, and that you may read and write there"),
    ]
}
