import Console
import FoundationEssentials
import PluginCore
import Testing

@Suite("Reports of Atrium's errors", .tags(.small))
struct AtriumErrorReportTests {
    /// The expected exit status of every public code, because scripts rely on it.
    private static let statuses: [(names: String, status: Int32)] = [
        (
            "uriMalformed patternMalformed routeConflict routeKind targetConflict parameterMissing parameterType "
                + "resultType manifestInvalid packageInvalid defaultsInvalid defaultsFull groupFileInvalid libraryMissing libraryUnloadable resourceInvalid "
                + "compositionInvalid documentInvalid serviceConflict extensionConflict extensionInactive extensionMismatch requestTooLarge keyInvalid trustInvalid "
                + "catalogInvalid sourcesInvalid lockInvalid fieldInvalid activationInvalid",
            65
        ),
        (
            "routeUnknown resourceUnknown targetUnknown actionUnknown pageActionUnknown bundleUnknown versionUnknown "
                + "bundleNotInstalled bundleUnavailable serviceUnknown extensionUnknown extensionPointUnknown trustUnknown fileUnknown "
                + "nothingToUnblock groupUndeclared extensionUndeclared appIncomplete crashUnknown",
            66
        ),
        (
            "catalogUnreachable deadlineExceeded downloadFailed startTimedOut systemLinkFailed pluginEnded "
                + "graphvizFailed graphvizMissing symbolizerMissing pageNotShown", 69
        ),
        ("pluginFailed pluginCrashed", 70),
        ("sandboxUnwritable sandboxUnusable registryDamaged registryNewer inputOutput storageFull", 74),
        ("catalogNotFetched packageNotDownloaded requestCanceled restartNeeded sandboxBusy", 75),
        ("trustIncomplete", 64),
        (
            "routeDenied requirementUnmet downgrade nothingToRollBack versionReused libraryIncompatible bundleRefused "
                + "exposureDenied routeCycle chainTooLong unsigned sealBroken signatureInvalid teamUnknown teamForeign "
                + "keyRetired keyRevoked trustConflict trustRevoked dependencyConflict dependencyUnmet bundleNeeded quarantined "
                + "groupForeign installNotAllowed pinned extensionDisabled catalogMismatch catalogUntrusted "
                + "excludedByApp lockOutdated lockMismatch systemLinkDenied",
            77
        ),
    ]

    /// Returns the public codes that the sources declare, so that no new one can be forgotten here.
    private static func declaredCodes() throws -> [String] {
        let paths = try ["Packages", "HostApp"].flatMap { folder in
            try FileManager.default.subpathsOfDirectory(atPath: repository.appending(folder).string).map {
                "\(folder)/\($0)"
            }
        }
        return try paths.filter { path in
            path.hasSuffix(".swift") && path.contains("/Sources/") && !path.contains(".build/")
        }.flatMap { path in
            let source = try String(contentsOf: URL(filePath: repository.appending(path).string), encoding: .utf8)
            let extensions = source.components(separatedBy: "extension AtriumError.Code {").dropFirst()
            return extensions.compactMap { $0.components(separatedBy: "\n}\n").first }.flatMap { text in
                text.components(separatedBy: "    public static let ").dropFirst()
                    .map { String($0.prefix { $0 != " " }) }
            }
        }
    }

    @Test(
        "The remedy of an error says what helps against it, or against its reason if there are several",
        arguments: [
            ("catalogUnreachable", "certificateUntrusted", "--catalog-ca FILE"),
            ("catalogUnreachable", "metadataNotFetched", "check that it exists"),
            ("catalogUntrusted", "metadataExpired", "bundletool renew"),
            ("registryDamaged", nil, "doctor --rebuild"), ("registryNewer", nil, "--sandbox"),
            ("sandboxBusy", nil, "run the command again"), ("teamUnknown", nil, "trust add"),
            ("unsigned", nil, "bundletool sign"),
        ] as [(String, String?, String)])
    func remedy(name: String, reason: String?, words: String) throws {
        let error = AtriumError(.init(name), "the-subject", reason: reason.map { ErrorReason($0) })
        let remedy = try #require(error.report.remedy)
        #expect(remedy.contains(words), "\(remedy)")
    }

    @Test("Every public code has a message, a remedy and a status")
    func everyCode() throws {
        let declared = try Self.declaredCodes()
        try #require(declared.count > 30)
        for name in declared {
            let error = AtriumError(.init(name), "the-subject", reason: .verbatim("because of this"))
            let report = error.report
            #expect(report.code == name && report.subject == "the-subject")
            #expect(report.message.contains("\"the-subject\""), "\(name): \(report.message)")
            #expect(report.message.hasSuffix(": because of this"), "\(name): \(report.message)")
            #expect(!report.message.contains("{}") && !report.message.contains("refused with the code"), "\(name)")
            let remedy = try #require(report.remedy)
            #expect(remedy.count > 20 && !remedy.hasSuffix("."), "\(name): \(remedy)")
            let status = Self.statuses.first { $0.names.split(separator: " ").contains(Substring(name)) }?.status
            #expect(error.exitStatus.rawValue == status, "\(name)")
        }
        #expect(Set(declared) == Set(Self.statuses.flatMap { $0.names.split(separator: " ").map(String.init) }))
    }

    @Test(
        "The message quotes the subject and contains the detail and the suggestions",
        arguments: [
            (
                AtriumError(.routeUnknown, "app://shp/cart", nearest: ["app://shop/cart"]),
                #"no plugin handles "app://shp/cart"; did you mean "app://shop/cart"?"#
            ),
            (
                AtriumError(.init("downgrade"), "com.example.app.shop@1.0.0", reason: .verbatim("1.1.0 is active")),
                #""com.example.app.shop@1.0.0" would be a downgrade: 1.1.0 is active"#
            ),
            (
                AtriumError(
                    .init("versionUnknown"), "a.b@3.0.0", nearest: ["a.b@2.0.0", "a.b@1.1.0", "a.b@1.0.0", "a.b@0.9.0"]),
                #"the catalog has no "a.b@3.0.0"; did you mean "a.b@2.0.0", "a.b@1.1.0" or "a.b@1.0.0"?"#
            ),
            (
                AtriumError(.init("bundleUnknown"), "a{}\u{1B}[2J", nearest: ["x\u{7}"]),
                #"there is no bundle "a{}\u{1B}[2J"; did you mean "x\u{7}"?"#
            ),
        ])
    func sentence(error: AtriumError, message: String) { #expect(error.report.message == message) }

    @Test(
        "The sentence of a reason contains its values",
        arguments: [
            (
                ErrorReason("routeExposure", ["exposure": "internal", "caller": "plugin other"]),
                #"its exposure is "internal", but the caller is: plugin other"#
            ),
            (ErrorReason("chain", ["path": ["app://a", "app://b"]]), "app://a -> app://b"),
            (
                ErrorReason("deadline", ["owner": "shop", "limit": .reason(ErrorReason("oneSecond"))]),
                "shop had 1 second"
            ),
            (
                ErrorReason.at(
                    "routes[0].pattern", ErrorReason("patternFlaw", ["pattern": "a(", "problem": "{pattern}"])),
                #"routes[0].pattern: "a(": {pattern}"#
            ),
            (
                ErrorReason.error(
                    AtriumError(
                        .sealBroken, "a@1.0.0", reason: "sealInvalid", ["name": "seal.json"],
                        problems: [.at("team", ErrorReason("empty"))])),
                "sealBroken: a@1.0.0 (its seal.json is not valid; team: it is empty)"
            ),
            (
                ErrorReason("bracedCaptureForm"),
                #"":{" is followed by a name of letters, digits and underscores, and "}""#
            ),
            (ErrorReason.verbatim("{text} of a plugin"), "{text} of a plugin"),
            (ErrorReason("ofAPlugin", ["count": 2, "name": "x"]), "ofAPlugin(count: 2, name: x)"),
        ])
    func reason(_ reason: ErrorReason, sentence: String) { #expect(reason.sentence == sentence) }

    @Test("The report as JSON contains the name and the values of the reason")
    func json() {
        let error = AtriumError(
            .parameterType, "app://a", reason: "anything",
            ["names": ["then"], "count": 1, "why": .reasons([ErrorReason("empty")])])
        let reason =
            #""reason":{"name":"anything","values":{"count":1,"names":["then"],"#
            + #""why":[{"name":"empty","values":{}}]}}"#
        #expect(error.report.json.text().contains(reason))
        #expect(!AtriumError(.sandboxBusy, "/s").report.json.text().contains("reason"))
    }

    @Test(
        "The sentence of a crash names the way it failed, what ran, and the obstacle to a rollback",
        arguments: [
            ("hungHost", "whenFirstUsed", "hung the host when it was first used"),
            ("endedHost", "whenPageShown", "ended the host when its page was shown"),
            (
                "crashedHost", "whenPageActionPerformed",
                "crashed the host (SIGILL) when an action of its page was performed"
            ),
            ("ranWhenKilled", "afterLoaded", "was running twice when the host was killed, after it was loaded"),
        ])
    func crash(name: String, phase: String, sentence: String) {
        let crash = ErrorReason(name, ["signal": "SIGILL", "phase": .reason(ErrorReason(phase))])
        #expect(crash.sentence == sentence)
        let obstacle = ErrorReason.all(of: [.at("lib/a.so", ErrorReason("unsealed")), ErrorReason("nothingKept")])
        let disabled = ErrorReason(
            "crashWithoutReplacement", ["crash": .reason(crash), "obstacle": .reason(obstacle ?? crash)])
        let expected = "\(sentence); no version replaces it: lib/a.so: it is not sealed; no version before it is kept"
        #expect(disabled.sentence == expected)
    }

    @Test("Every problem is a detail of the report")
    func problems() {
        let error = AtriumError(
            .init("manifestInvalid"), "Shop/manifest.json",
            problems: [.at("name", ErrorReason("fieldMissing")), .verbatim("kind: no")])
        #expect(error.report.details == ["name: it is missing", "kind: no"])
        #expect(
            error.report.text() == """
                error: the manifest of "Shop/manifest.json" is not valid
                  - name: it is missing
                  - kind: no
                  remedy: the plugin's author must correct manifest.json and run "bundletool pack" again

                """)
    }

    @Test(
        "A remedy contains the subject in a command only if it is a plain name",
        arguments: [
            ("com.example.app.shop@1.1.0", [], true), ("shop; rm -rf ~", [], false), ("--help", [], false),
            ("", [], false), ("com.example.app.shp", ["com.example.app.shop"], false),
        ])
    func command(subject: String, nearest: [String], isOffered: Bool) throws {
        let remedy = try #require(AtriumError(.bundleNotInstalled, subject, nearest: nearest).report.remedy)
        #expect(remedy.contains("hostapp install") == isOffered)
        #expect(remedy.contains("\"hostapp list\""))
        if isOffered { #expect(remedy.contains("\"hostapp install \(subject)\"")) }
    }

    @Test(
        "A remedy names the command without the version, which it does not accept",
        arguments: [
            (AtriumError.Code("downgrade"), "hostapp rollback com.example.app.shop\""),
            (.init("quarantined"), "hostapp why com.example.app.shop\""),
        ])
    func rollback(code: AtriumError.Code, command: String) throws {
        let remedy = try #require(AtriumError(code, "com.example.app.shop@1.0.0").report.remedy)
        #expect(remedy.contains("\"\(command)"))
        let hostile = try #require(AtriumError(code, "$(reboot)@1.0.0").report.remedy)
        #expect(!hostile.contains("reboot") && hostile.count > 20)
    }

    @Test(
        "The remedy for a damaged installed version is to reinstall it from the catalog or its package",
        arguments: [AtriumError.Code.sealBroken, .bundleUnavailable])
    func anew(code: AtriumError.Code) throws {
        let remedy = try #require(AtriumError(code, "com.example.app.shop@1.0.0").report.remedy)
        #expect(
            remedy == "reinstall it with \"hostapp install com.example.app.shop@1.0.0\", or from its package if "
                + "the catalog does not have it")
        for other in ["com.example.app.shop", "com.example.app.shop@1.0.0.zip", "$(reboot)@1.0.0"] {
            let remedy = try #require(AtriumError(code, other).report.remedy)
            #expect(!remedy.contains("reinstall") && !remedy.contains("reboot"))
        }
    }

    @Test("An error with a plugin's own code is reported as bad input, with the plugin's message if there is one")
    func unknownCode() {
        let error = AtriumError(.init("cartFull"), "cart", reason: .verbatim("99 things"))
        #expect(error.exitStatus == .badInput)
        #expect(error.report.message == #"a plugin refused "cart" with the code "cartFull": 99 things"#)
        #expect(error.report.remedy != nil)
        let request = AtriumError.Source(bundle: "a.b@1.0.0", request: "Cart.add", chain: ["Cart.add"])
        let named = AtriumError.from(AtriumError(.init("cartFull"), ""), in: request)
        #expect(named.report.message == #""a.b@1.0.0" refused the request with the code "cartFull""#)
        let worded = AtriumError(.init("cartFull"), "cart", message: "the cart is full", remedy: "take something out")
        #expect(worded.exitStatus == .badInput)
        #expect(worded.report.message == "the cart is full" && worded.report.remedy == "take something out")
    }

    @Test("The report names the plugin, the request and the chain of requests, as text and as JSON")
    func source() {
        struct Oops: Error {}
        let source = AtriumError.Source(
            bundle: "a.b@1.0.0", request: "app://b", chain: ["app://a", "B.ask", "app://b"])
        let foreign = AtriumError.from(Oops(), in: source).report
        #expect(
            foreign.text() == """
                error: "a.b@1.0.0" failed while it served "app://b": Oops()
                  - requests: app://a -> B.ask -> app://b
                  remedy: send this message to the plugin's author, and say what you did

                """)
        #expect(foreign.subject == "a.b@1.0.0")
        let plugin = #""plugin":{"bundle":"a.b@1.0.0","request":"app://b","chain":["app://a","B.ask","app://b"]}"#
        #expect(foreign.json.text().contains(plugin))
        let passed = AtriumError.from(AtriumError(.routeUnknown, "app://x"), in: source).report
        #expect(
            passed.text() == """
                error: no plugin handles "app://x"
                  - in "a.b@1.0.0", while it served "app://b"
                  - requests: app://a -> B.ask -> app://b
                  remedy: correct the address, or install a plugin that handles it; "hostapp catalog" lists what \
                is available

                """)
        #expect(passed.json.text().contains(plugin))
    }

    @Test("The report of an error with a cause contains the message and the remedy of the cause")
    func cause() {
        let cause = AtriumError(.init("noDisk"), "", message: "the disk is on fire", remedy: "pour water on it")
        let error = AtriumError(.init("bundleRefused"), "a.b@1.0.0", reason: .verbatim("\(cause)")).caused(by: cause)
        #expect(error.report.message == #""a.b@1.0.0" refused to start: the disk is on fire"#)
        #expect(error.report.remedy == "pour water on it" && error.exitStatus == .refused)
    }

    @Test("Every reportable error has a report, and any other error is an internal error")
    func anyError() {
        struct Foreign: Error {}
        #expect(FailureReport.of(AtriumError(.sandboxBusy, "/s")).status == .tryLater)
        #expect(FailureReport.of(UsageError(.missingCommand, subject: "x", command: ["x"])).status == .usage)
        #expect(FailureReport.of(Foreign()).status == .software)
        #expect(FailureReport.of(Foreign()).report.message.contains("Foreign"))
    }

    @Test("A very long subject or detail is shortened in the message, and the subject is complete for scripts")
    func long() {
        let long = String(repeating: "a", count: 1_001)
        let report = AtriumError(.init("bundleUnknown"), long, reason: .verbatim(long)).report
        let beginning = String(repeating: "a", count: 1_000) + "... (1001 characters)"
        #expect(report.message == "there is no bundle \"\(beginning)\": \(beginning)")
        #expect(report.subject == long)
        #expect(AtriumError(.init("bundleUnknown"), String(long.dropLast())).report.message.hasSuffix("a\""))
    }
}
