import PluginRuntime
import PluginCore
import Testing

@Suite("Plans of the resolver", .tags(.small))
struct ResolverTests {
    struct Answer: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let universe: String
        let requests: [ResolverRequest]
        let steps: [String]
    }

    /// Returns the parsed version, or a version that no universe contains if the text is invalid.
    static func version(_ text: String) -> SemanticVersion {
        SemanticVersion(text) ?? SemanticVersion(major: 99, minor: 0, patch: 0)
    }

    static let answers = [
        Answer(
            testDescription: "the newest version, when none is named",
            universe: "com.a@1.0.0\ncom.a@1.10.0\ncom.a@1.9.0", requests: [.install("com.a")], steps: ["com.a 1.10.0"]),
        Answer(
            testDescription: "the version that is named",
            universe: "com.a@1.0.0\ncom.a@2.0.0", requests: [.install("com.a", version("1.0.0"))],
            steps: ["com.a 1.0.0"]),
        Answer(
            testDescription: "what it needs first, and what that needs before",
            universe: "com.a@1.0.0: com.b ^1.0.0\ncom.b@1.0.0: com.c ^1.0.0\ncom.c@1.0.0\ncom.c@1.2.0\ncom.c@2.0.0",
            requests: [.install("com.a")], steps: ["com.c 1.2.0", "com.b 1.0.0", "com.a 1.0.0"]),
        Answer(
            testDescription: "not what it needs on demand",
            universe: "com.a@1.0.0: com.b ^1.0.0 on demand\ncom.b@1.0.0",
            requests: [.install("com.a")], steps: ["com.a 1.0.0"]),
        Answer(
            testDescription: "nothing if all requests are fulfilled",
            universe: "+com.a@1.0.0: com.b *\n+com.b@1.0.0",
            requests: [.install("com.a"), .install("com.b", version("1.0.0")), .update("com.b")], steps: []),
        Answer(
            testDescription: "of a diamond the newest version that suits both sides",
            universe: """
                com.a@1.0.0: com.left *, com.right *
                com.left@1.0.0: com.lib >=1.1.0
                com.right@1.0.0: com.lib <2.0.0
                com.lib@1.0.0
                com.lib@1.1.0
                com.lib@1.2.0
                com.lib@2.0.0
                """,
            requests: [.install("com.a")],
            steps: ["com.lib 1.2.0", "com.left 1.0.0", "com.right 1.0.0", "com.a 1.0.0"]),
        Answer(
            testDescription: "an older side of a diamond when the newest two cannot agree",
            universe: """
                com.a@1.0.0: com.left *, com.right *
                com.left@2.0.0: com.lib ^2.0.0
                com.left@1.0.0: com.lib ^1.0.0
                com.right@1.0.0: com.lib ^1.0.0
                com.lib@1.0.0
                com.lib@2.0.0
                """,
            requests: [.install("com.a")],
            steps: ["com.lib 1.0.0", "com.left 1.0.0", "com.right 1.0.0", "com.a 1.0.0"]),
        Answer(
            testDescription: "what needs each other together, in a fixed order",
            universe: "com.a@1.0.0: com.b *, com.c *\ncom.b@1.0.0: com.a ^1.0.0\ncom.c@1.0.0: com.b *",
            requests: [.install("com.c")], steps: ["com.b 1.0.0", "com.c 1.0.0", "com.a 1.0.0"]),
        Answer(
            testDescription: "what needs itself, in a version that it is",
            universe: "com.a@2.0.0: com.a ^1.0.0\ncom.a@1.0.0: com.a ^1.0.0",
            requests: [.install("com.a")], steps: ["com.a 1.0.0"]),
        Answer(
            testDescription: "what is installed as it is, though there is something newer",
            universe: "com.a@1.0.0: com.lib *\n+com.lib@1.0.0\ncom.lib@2.0.0",
            requests: [.install("com.a")], steps: ["com.a 1.0.0"]),
        Answer(
            testDescription: "what is installed moved up when a range needs it",
            universe: "com.a@1.0.0: com.lib >=1.1.0\n+com.lib@1.0.0\ncom.lib@1.1.0\ncom.lib@2.0.0",
            requests: [.install("com.a")], steps: ["com.lib 1.0.0>2.0.0", "com.a 1.0.0"]),
        Answer(
            testDescription: "who is in the way moved up, too",
            universe: """
                com.a@1.0.0: com.lib ^2.0.0
                +com.b@1.0.0: com.lib ^1.0.0
                com.b@1.1.0: com.lib ^2.0.0
                +com.lib@1.0.0
                com.lib@2.0.0
                """,
            requests: [.install("com.a")],
            steps: ["com.lib 1.0.0>2.0.0", "com.a 1.0.0", "com.b 1.0.0>1.1.0"]),
        Answer(
            testDescription: "an older version of a requested bundle rather than a version that another bundle forbids",
            universe: """
                com.a@2.0.0: com.lib ^2.0.0
                com.a@1.0.0: com.lib ^1.0.0
                +com.b@1.0.0: com.lib ^1.0.0
                +com.lib@1.0.0
                com.lib@2.0.0
                """,
            requests: [.install("com.a")], steps: ["com.a 1.0.0"]),
        Answer(
            testDescription: "an update as far as the others let it go",
            universe: """
                +com.lib@1.0.0
                com.lib@1.5.0
                com.lib@2.0.0
                +com.b@1.0.0: com.lib ^1.0.0
                """,
            requests: [.update("com.lib")], steps: ["com.lib 1.0.0>1.5.0"]),
        Answer(
            testDescription: "an update of all, each as far as it goes",
            universe: """
                +com.a@1.0.0: com.lib ^1.0.0
                com.a@2.0.0: com.lib ^2.0.0
                +com.lib@1.0.0
                com.lib@2.0.0
                com.lib@3.0.0
                -com.z@1.0.0
                """,
            requests: [.update("com.a"), .update("com.lib"), .update("com.z")],
            steps: ["com.lib 1.0.0>2.0.0", "com.a 1.0.0>2.0.0"]),
        Answer(
            testDescription: "a prerelease by its precedence",
            universe:
                "com.a@1.0.0: com.lib ^2.0.0-beta\ncom.lib@2.0.0-alpha\ncom.lib@2.0.0-beta.2\ncom.lib@2.0.0-beta.11",
            requests: [.install("com.a")], steps: ["com.lib 2.0.0-beta.11", "com.a 1.0.0"]),
        Answer(
            testDescription: "the release before its prerelease, whichever is named first",
            universe: "com.a@2.0.0\ncom.a@2.0.0-rc.1", requests: [.install("com.a")], steps: ["com.a 2.0.0"]),
        Answer(
            testDescription: "no pre-release that nobody has named, neither a requested bundle nor a required one",
            universe: """
                com.a@1.0.0: com.lib ^1.0.0
                com.a@1.1.0-beta.1: com.lib ^1.0.0
                com.lib@1.0.0
                com.lib@1.1.0-beta.1
                com.lib@2.0.0-beta.1
                +com.b@1.0.0
                com.b@2.0.0-beta.1
                """,
            requests: [.install("com.a"), .update("com.b")], steps: ["com.lib 1.0.0", "com.a 1.0.0"]),
        Answer(
            testDescription:
                "a pre-release where there is nothing else, or in place of an earlier one of the same release",
            universe: """
                com.a@1.0.0-beta.1
                com.a@1.0.0-beta.2
                +com.b@1.0.0-beta.1
                com.b@1.0.0-beta.2
                com.b@2.0.0-beta.1
                +com.c@1.0.0-beta.1
                com.c@1.1.0
                com.c@2.0.0-beta.1
                """,
            requests: [.install("com.a"), .update("com.b"), .update("com.c")],
            steps: ["com.a 1.0.0-beta.2", "com.b 1.0.0-beta.1>1.0.0-beta.2", "com.c 1.0.0-beta.1>1.1.0"]),
        Answer(
            testDescription:
                "a pre-release that is requested by its version or named by a range, in every order of requests",
            universe: """
                com.lib@1.0.0
                com.lib@2.0.0-beta.1
                com.a@1.0.0: com.lib ^2.0.0-beta.1
                com.b@1.0.0
                com.b@2.0.0-beta.1
                """,
            requests: [.install("com.lib"), .install("com.a"), .install("com.b", version("2.0.0-beta.1"))],
            steps: ["com.lib 2.0.0-beta.1", "com.a 1.0.0", "com.b 2.0.0-beta.1"]),
        Answer(
            testDescription: "no version that is blocked",
            universe: "com.a@1.0.0: com.lib *\ncom.lib@1.0.0\n!com.lib@2.0.0",
            requests: [.install("com.a")], steps: ["com.lib 1.0.0", "com.a 1.0.0"]),
        Answer(
            testDescription: "no version whose package is broken, of what is only needed",
            universe: "com.a@1.0.0: com.lib *\ncom.lib@1.0.0\n?com.lib@2.0.0",
            requests: [.install("com.a")], steps: ["com.lib 1.0.0", "com.a 1.0.0"]),
        Answer(
            testDescription: "no version whose package is broken, of what is requested without a version",
            universe: "com.a@1.0.0\n?com.a@2.0.0\n+com.k@1.0.0\ncom.k@2.0.0\n+com.l@1.0.0\ncom.l@2.0.0\n?com.l@4.0.0",
            requests: [.install("com.a"), .update("com.k"), .update("com.l")],
            steps: ["com.a 1.0.0", "com.k 1.0.0>2.0.0", "com.l 1.0.0>2.0.0"]),
        Answer(
            testDescription: "a rollback alone when everybody can live with it",
            universe: "+com.lib@2.0.0\ncom.lib@1.0.0\n+com.a@1.0.0: com.lib *",
            requests: [.rollBack("com.lib", to: version("1.0.0"))], steps: ["com.lib 2.0.0>1.0.0"]),
        Answer(
            testDescription: "several rollbacks in one step",
            universe: """
                com.lib@1.0.0
                +com.lib@2.0.0
                com.a@1.0.0: com.lib ^1.0.0
                +com.a@2.0.0: com.lib ^2.0.0
                """,
            requests: [.rollBack("com.a", to: version("1.0.0")), .rollBack("com.lib", to: version("1.0.0"))],
            steps: ["com.lib 2.0.0>1.0.0", "com.a 2.0.0>1.0.0"]),
        Answer(
            testDescription: "the removal of what others need on demand",
            universe: "-com.lib@1.0.0\n+com.a@1.0.0: com.lib ^1.0.0 on demand",
            requests: [.remove("com.lib")], steps: ["com.lib 1.0.0>"]),
        Answer(
            testDescription: "the removal of a circle at once",
            universe: "+com.a@1.0.0: com.b *\n+com.b@1.0.0: com.a *",
            requests: [.remove("com.a"), .remove("com.b")], steps: ["com.a 1.0.0>", "com.b 1.0.0>"]),
        Answer(
            testDescription: "with a cascade all who need it, and these first",
            universe: """
                +com.app@1.0.0: com.mid *
                +com.mid@1.0.0: com.lib *
                +com.lib@1.0.0
                +com.other@1.0.0: com.lib * on demand
                """,
            requests: [.remove("com.lib", cascade: true)],
            steps: ["com.app 1.0.0>", "com.mid 1.0.0>", "com.lib 1.0.0>"]),
        Answer(
            testDescription: "removal and update in one step, when the update ends the need",
            universe: "+com.a@1.0.0: com.lib *\ncom.a@2.0.0\n+com.lib@1.0.0",
            requests: [.remove("com.lib"), .update("com.a")], steps: ["com.a 1.0.0>2.0.0", "com.lib 1.0.0>"]),
        Answer(
            testDescription: "what was missing before, when who needs it is to be installed",
            universe: "+com.a@1.0.0: com.lib *\ncom.lib@1.0.0", requests: [.install("com.a")], steps: ["com.lib 1.0.0"]),
        Answer(
            testDescription: "nothing for what was missing before, when it is about something else",
            universe: "+com.a@1.0.0: com.gone *\n+com.b@1.0.0\ncom.b@1.1.0",
            requests: [.update("com.b"), .update("com.a")], steps: ["com.b 1.0.0>1.1.0"]),
        Answer(
            testDescription: "an update instead of an older install if both are requested",
            universe: "+com.a@1.0.0\ncom.a@2.0.0\ncom.a@3.0.0",
            requests: [.update("com.a"), .install("com.a", version("2.0.0"))], steps: ["com.a 1.0.0>2.0.0"]),
    ]

    @Test("The resolver plans the expected steps", arguments: answers)
    func brings(answer: Answer) throws {
        #expect(try SampleUniverse(answer.universe).plan(answer.requests) == answer.steps)
    }

    struct Refusal: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let universe: String
        let requests: [ResolverRequest]
        let code: AtriumError.Code
        let subject: String
        var reason: ErrorReason?
        var problems: [ErrorReason] = []
    }

    static let refusals = [
        Refusal(
            testDescription: "what contradicts what is installed, with the chains",
            universe: """
                com.a@1.2.0: com.lib ^2.0.0
                +com.b@3.0.0: com.lib ^1.0.0
                +com.lib@1.4.0
                com.lib@2.1.0
                """,
            requests: [.install("com.a")], code: .dependencyConflict, subject: "com.a",
            problems: [
                .need("needs", of: "com.a@1.2.0", "com.lib", "^2.0.0"),
                .need("installedNeeds", of: "com.b@3.0.0", "com.lib", "^1.0.0"),
                ErrorReason("catalogHasBundle", ["bundle": "com.lib", "versions": ["2.1.0", "1.4.0 (installed)"]]),
            ]),
        Refusal(
            testDescription: "two sides of a diamond that cannot agree, with the way there",
            universe: """
                com.a@1.0.0: com.left ^1.0.0, com.right ^1.0.0
                com.left@1.0.0: com.lib ^1.0.0
                com.right@1.0.0: com.lib ^2.0.0
                com.lib@1.0.0
                !com.lib@2.1.0
                com.lib@2.0.0
                """,
            requests: [.install("com.a", version("1.0.0"))], code: .dependencyConflict, subject: "com.a@1.0.0",
            problems: [
                .need("needs", of: "com.a@1.0.0", "com.left", "^1.0.0"),
                .need("needs", of: "com.a@1.0.0", "com.right", "^1.0.0"),
                .need("needs", of: "com.left@1.0.0", "com.lib", "^1.0.0"),
                .need("needs", of: "com.right@1.0.0", "com.lib", "^2.0.0"),
                ErrorReason(
                    "catalogHasBundle", ["bundle": "com.lib", "versions": ["2.1.0 (quarantined)", "2.0.0", "1.0.0"]]),
            ]),
        Refusal(
            testDescription: "two requests that contradict each other",
            universe: "com.a@1.0.0: com.lib ^2.0.0\ncom.lib@1.0.0\ncom.lib@2.0.0",
            requests: [.install("com.a"), .install("com.lib", version("1.0.0"))],
            code: .dependencyConflict, subject: "com.a",
            problems: [
                .need("needs", of: "com.a@1.0.0", "com.lib", "^2.0.0"),
                ErrorReason("versionRequested", ["bundle": "com.lib@1.0.0"]),
            ]),
        Refusal(
            testDescription: "an install that needs what is to be removed",
            universe: "com.a@1.0.0: com.lib *\n+com.lib@1.0.0", requests: [.remove("com.lib"), .install("com.a")],
            code: .dependencyConflict, subject: "com.a",
            problems: [
                .need("needs", of: "com.a@1.0.0", "com.lib", "*"),
                ErrorReason("toBeRemoved", ["bundle": "com.lib"]),
            ]),
        Refusal(
            testDescription: "two things that are asked of one bundle",
            universe: "+com.a@1.0.0", requests: [.install("com.a"), .remove("com.a")],
            code: .dependencyConflict, subject: "com.a", reason: ErrorReason("requestedTwice")
        ),
        Refusal(
            testDescription: "a rollback that others cannot live with",
            universe: "com.lib@1.0.0\n+com.lib@2.0.0\n+com.a@2.0.0: com.lib ^2.0.0",
            requests: [.rollBack("com.lib", to: version("1.0.0"))], code: .dependencyConflict, subject: "com.lib@1.0.0",
            problems: [
                .need("installedNeeds", of: "com.a@2.0.0", "com.lib", "^2.0.0"),
                ErrorReason("toGoBack", ["bundle": "com.lib", "version": "1.0.0"]),
            ]),
        Refusal(
            testDescription: "what needs something that nobody offers, as it always did",
            universe: "com.a@1.0.0: com.lib ^1.0.0", requests: [.install("com.a")],
            code: .requirementUnmet, subject: "com.a@1.0.0",
            reason: .need("itRequires", of: "com.a@1.0.0", "com.lib", "^1.0.0", ErrorReason("catalogHasNone"))),
        Refusal(
            testDescription: "what calls something that nobody offers in range",
            universe: "com.a@1.0.0: com.lib ^2.0.0 on demand\ncom.lib@1.0.0\ncom.lib@1.1.0",
            requests: [.install("com.a")],
            code: .requirementUnmet, subject: "com.a@1.0.0",
            reason: .need(
                "itCalls", of: "com.a@1.0.0", "com.lib", "^2.0.0",
                ErrorReason("catalogHas", ["versions": ["1.1.0", "1.0.0"]]))),
        Refusal(
            testDescription: "what needs an older version than the one that is installed",
            universe: "com.a@1.0.0: com.lib ^1.0.0\ncom.lib@1.0.0\n+com.lib@2.0.0", requests: [.install("com.a")],
            code: .requirementUnmet, subject: "com.a@1.0.0",
            reason: .need(
                "itRequires", of: "com.a@1.0.0", "com.lib", "^1.0.0",
                ErrorReason("versionInstalled", ["version": "2.0.0"]))),
        Refusal(
            testDescription: "what needs something that needs what nobody offers, with the way there",
            universe: "com.a@1.0.0: com.mid *\ncom.mid@1.0.0: com.lib ^1.0.0", requests: [.install("com.a")],
            code: .requirementUnmet, subject: "com.a@1.0.0",
            reason: .need("bundleRequires", of: "com.mid@1.0.0", "com.lib", "^1.0.0", ErrorReason("catalogHasNone")),
            problems: [
                .need("needs", of: "com.a@1.0.0", "com.mid", "*"),
                .need("needs", of: "com.mid@1.0.0", "com.lib", "^1.0.0"),
            ]),
        Refusal(
            testDescription: "a requested version that is broken, whatever other versions there are",
            universe: "com.a@1.0.0\n?com.a@2.0.0", requests: [.install("com.a", version("2.0.0"))],
            code: .init("packageInvalid"), subject: "com.a@2.0.0"),
        Refusal(
            testDescription: "a requested bundle of which all versions are broken, with the error of the newest",
            universe: "?com.a@1.0.0\n?com.a@2.0.0", requests: [.install("com.a")],
            code: .init("packageInvalid"), subject: "com.a@2.0.0"),
        Refusal(
            testDescription: "what needs a bundle of which all versions are broken, with what is wrong",
            universe: "com.a@1.0.0: com.lib *\n?com.lib@2.0.0", requests: [.install("com.a")],
            code: .init("packageInvalid"), subject: "com.lib@2.0.0"),
        Refusal(
            testDescription: "what needs another to move, when there is only a pre-release to move to",
            universe: "+com.lib@1.0.0\ncom.lib@2.0.0\n+com.a@1.0.0: com.lib ^1.0.0\ncom.a@2.0.0-beta.1: com.lib ^2.0.0",
            requests: [.install("com.lib", version("2.0.0"))], code: .dependencyConflict, subject: "com.lib@2.0.0",
            problems: [
                .need("installedNeeds", of: "com.a@1.0.0", "com.lib", "^1.0.0"),
                ErrorReason("versionRequested", ["bundle": "com.lib@2.0.0"]),
            ]),
        Refusal(
            testDescription: "a version below the active one",
            universe: "com.a@1.0.0\n+com.a@2.0.0", requests: [.install("com.a", version("1.0.0"))],
            code: .downgrade, subject: "com.a@1.0.0", reason: ErrorReason("versionActive", ["version": "2.0.0"])),
        Refusal(
            testDescription: "a bundle that nobody offers",
            universe: "com.a@1.0.0", requests: [.install("com.b")], code: .bundleUnknown, subject: "com.b"),
        Refusal(
            testDescription: "a version that nobody offers",
            universe: "com.a@1.0.0", requests: [.install("com.a", version("1.1.0"))],
            code: .versionUnknown, subject: "com.a@1.1.0"),
        Refusal(
            testDescription: "a version that is blocked",
            universe: "!com.a@1.0.0", requests: [.install("com.a", version("1.0.0"))],
            code: .init("quarantined"), subject: "com.a@1.0.0"),
        Refusal(
            testDescription: "a bundle of which all versions are blocked",
            universe: "!com.a@1.0.0\n!com.a@1.1.0", requests: [.install("com.a")],
            code: .init("quarantined"), subject: "com.a@1.1.0"),
        Refusal(
            testDescription: "to update what is not installed",
            universe: "com.a@1.0.0", requests: [.update("com.a")], code: .bundleNotInstalled, subject: "com.a"),
        Refusal(
            testDescription: "to remove what others need, with each chain",
            universe: """
                +com.app@1.0.0: com.mid ^1.0.0
                +com.mid@1.1.0: com.lib *
                +com.lib@1.0.0
                +com.tool@2.0.0: com.lib ^1.0.0
                +com.other@1.0.0: com.lib * on demand
                """,
            requests: [.remove("com.lib")], code: .bundleNeeded, subject: "com.lib",
            problems: [
                .need("needs", of: "com.mid@1.1.0", "com.lib", "*"),
                .need("needs", of: "com.tool@2.0.0", "com.lib", "^1.0.0"),
                .need("needs", of: "com.app@1.0.0", "com.mid", "^1.0.0"),
            ]),
        Refusal(
            testDescription: "to remove what a bundle needs that comes with the next request",
            universe: "+com.a@1.0.0: com.lib *\n+com.lib@1.0.0", requests: [.remove("com.lib"), .update("com.a")],
            code: .dependencyConflict, subject: "com.a",
            problems: [
                .need("installedNeeds", of: "com.a@1.0.0", "com.lib", "*"),
                ErrorReason("toBeRemoved", ["bundle": "com.lib"]),
            ]),
    ]

    @Test("The resolver rejects the requests with the expected error", arguments: refusals)
    func refuses(refusal: Refusal) throws {
        let universe = try SampleUniverse(refusal.universe)
        let error = #expect(throws: AtriumError.self) { try universe.plan(refusal.requests) }
        #expect(error?.code == refusal.code)
        #expect(error?.subject == refusal.subject)
        #expect(error?.reason == refusal.reason)
        #expect(error?.problems == refusal.problems)
    }

    @Test(
        "Requests that concern installed bundles only need no catalog",
        arguments: [
            ([ResolverRequest.remove("com.a")], ["com.a 1.0.0>"]), ([.install("com.a", version("1.0.0"))], []),
            ([.rollBack("com.lib", to: version("1.0.0"))], ["com.lib 1.1.0>1.0.0"]),
        ])
    func offline(requests: [ResolverRequest], steps: [String]) throws {
        let universe = try SampleUniverse(
            """
            +com.a@1.0.0: com.lib ^1.0.0, com.far * on demand
            com.lib@1.0.0: com.other * on demand
            +com.lib@1.1.0
            """)
        universe.isReachable = false
        #expect(try universe.plan(requests) == steps)
    }

    @Test("A request that only the catalog can answer fails as unreachable if the catalog is offline")
    func offlineInstall() throws {
        let universe = try SampleUniverse("+com.a@1.0.0")
        universe.isReachable = false
        let error = #expect(throws: AtriumError.self) { try universe.plan([.update("com.a")]) }
        #expect(error?.code == .catalogUnreachable)
    }

    @Test(
        "With a partly reachable catalog, the resolver uses what it can reach and never claims that a version doesn't exist",
        arguments: [
            ([ResolverRequest.install("com.b")], ["com.b 1.1.0"]),
            ([.install("com.b", version("1.0.0"))], ["com.b 1.0.0"]),
            ([.update("com.lib")], ["com.lib 1.0.0>1.1.0"]), ([.install("com.demand")], ["com.demand 1.0.0"]),
            ([.install("com.none")], nil), ([.install("com.b", version("2.0.0"))], nil),
            ([.install("com.needs")], nil), ([.install("com.clash")], nil), ([.install("com.blocked")], nil),
        ])
    func partlyOffline(requests: [ResolverRequest], steps: [String]?) throws {
        let universe = try SampleUniverse(
            """
            +com.lib@1.0.0
            com.lib@1.1.0
            com.b@1.0.0
            com.b@1.1.0: com.lib ^1.0.0
            com.demand@1.0.0: com.lib ^2.0.0 on demand
            com.needs@1.0.0: com.far *
            com.clash@1.0.0: com.lib ^2.0.0
            !com.blocked@1.0.0
            """)
        universe.isWhole = false
        do throws(AtriumError) {
            #expect(try universe.plan(requests) == steps)
        } catch {
            #expect(steps == nil && error.code == .catalogUnreachable, "\(error)")
        }
    }
}

extension ErrorReason {
    /// Returns the reason for a requirement of a bundle.
    ///
    /// - Parameter state: the versions of the required bundle.
    static func need(
        _ name: String, of bundle: String, _ other: String, _ versions: String, _ state: ErrorReason? = nil
    ) -> ErrorReason {
        let values: [String: Value] = ["bundle": .text(bundle), "other": .text(other), "versions": .text(versions)]
        return ErrorReason(name, values.merging(state.map { ["state": .reason($0)] } ?? [:]) { $1 })
    }
}
