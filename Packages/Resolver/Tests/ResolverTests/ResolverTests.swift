import PluginRuntime
import PluginCore
import Testing

@Suite("Plans of the resolver", .tags(.small))
struct ResolverTests {
    struct Answer: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let universe: String
        let requests: [ChangeRequest]
        let steps: [String]

        init(_ name: String, _ universe: String, _ requests: [ChangeRequest], _ steps: [String]) {
            (testDescription, self.universe, self.requests, self.steps) = (name, universe, requests, steps)
        }
    }

    /// Returns the parsed version, or a version that no universe contains if the text is invalid.
    static func version(_ text: String) -> SemanticVersion {
        SemanticVersion(text) ?? SemanticVersion(major: 99, minor: 0, patch: 0)
    }

    static let answers = [
        Answer(
            "what it needs first, and what that needs before",
            "com.a@1.0.0: com.b ^1.0.0\ncom.b@1.0.0: com.c ^1.0.0\ncom.c@1.0.0\ncom.c@1.2.0\ncom.c@2.0.0",
            [.install("com.a")], ["com.c 1.2.0", "com.b 1.0.0", "com.a 1.0.0"]),
        Answer(
            "of a diamond the newest version that suits both sides",
            """
            com.a@1.0.0: com.left *, com.right *
            com.left@1.0.0: com.lib >=1.1.0
            com.right@1.0.0: com.lib <2.0.0
            com.lib@1.0.0
            com.lib@1.1.0
            com.lib@1.2.0
            com.lib@2.0.0
            """, [.install("com.a")],
            ["com.lib 1.2.0", "com.left 1.0.0", "com.right 1.0.0", "com.a 1.0.0"]),
        Answer(
            "what needs each other together, in a fixed order",
            "com.a@1.0.0: com.b *, com.c *\ncom.b@1.0.0: com.a ^1.0.0\ncom.c@1.0.0: com.b *", [.install("com.c")],
            ["com.b 1.0.0", "com.c 1.0.0", "com.a 1.0.0"]),
        Answer(
            "what is installed moved up when a range needs it",
            "com.a@1.0.0: com.lib >=1.1.0\n+com.lib@1.0.0\ncom.lib@1.1.0\ncom.lib@2.0.0", [.install("com.a")],
            ["com.lib 1.0.0>2.0.0", "com.a 1.0.0"]),
        Answer(
            "who is in the way moved up, too",
            """
            com.a@1.0.0: com.lib ^2.0.0
            +com.b@1.0.0: com.lib ^1.0.0
            com.b@1.1.0: com.lib ^2.0.0
            +com.lib@1.0.0
            com.lib@2.0.0
            """, [.install("com.a")], ["com.lib 1.0.0>2.0.0", "com.a 1.0.0", "com.b 1.0.0>1.1.0"]),
        Answer(
            "no pre-release that nobody has named, neither a requested bundle nor a required one",
            """
            com.a@1.0.0: com.lib ^1.0.0
            com.a@1.1.0-beta.1: com.lib ^1.0.0
            com.lib@1.0.0
            com.lib@1.1.0-beta.1
            com.lib@2.0.0-beta.1
            +com.b@1.0.0
            com.b@2.0.0-beta.1
            """, [.install("com.a"), .update("com.b")], ["com.lib 1.0.0", "com.a 1.0.0"]),
        Answer(
            "a pre-release where there is nothing else, or in place of an earlier one of the same release",
            """
            com.a@1.0.0-beta.1
            com.a@1.0.0-beta.2
            +com.b@1.0.0-beta.1
            com.b@1.0.0-beta.2
            com.b@2.0.0-beta.1
            +com.c@1.0.0-beta.1
            com.c@1.1.0
            com.c@2.0.0-beta.1
            """, [.install("com.a"), .update("com.b"), .update("com.c")],
            ["com.a 1.0.0-beta.2", "com.b 1.0.0-beta.1>1.0.0-beta.2", "com.c 1.0.0-beta.1>1.1.0"]),
        Answer(
            "a pre-release that is requested by its version or named by a range, in every order of requests",
            """
            com.lib@1.0.0
            com.lib@2.0.0-beta.1
            com.a@1.0.0: com.lib ^2.0.0-beta.1
            com.b@1.0.0
            com.b@2.0.0-beta.1
            """, [.install("com.lib"), .install("com.a"), .install("com.b", version("2.0.0-beta.1"))],
            ["com.lib 2.0.0-beta.1", "com.a 1.0.0", "com.b 2.0.0-beta.1"]),
        Answer(
            "no version whose package is broken, of what is requested without a version",
            "com.a@1.0.0\n?com.a@2.0.0\n+com.k@1.0.0\ncom.k@2.0.0\n+com.l@1.0.0\ncom.l@2.0.0\n?com.l@4.0.0",
            [.install("com.a"), .update("com.k"), .update("com.l")],
            ["com.a 1.0.0", "com.k 1.0.0>2.0.0", "com.l 1.0.0>2.0.0"]),
        Answer(
            "with a cascade all who need it, and these first",
            """
            +com.app@1.0.0: com.mid *
            +com.mid@1.0.0: com.lib *
            +com.lib@1.0.0
            +com.other@1.0.0: com.lib * on demand
            """, [.remove("com.lib", cascade: true)],
            ["com.app 1.0.0>", "com.mid 1.0.0>", "com.lib 1.0.0>"]),
        Answer(
            "removal and update in one step, when the update ends the need",
            "+com.a@1.0.0: com.lib *\ncom.a@2.0.0\n+com.lib@1.0.0",
            [.remove("com.lib"), .update("com.a")], ["com.a 1.0.0>2.0.0", "com.lib 1.0.0>"]),
        Answer(
            "an update instead of an older install if both are requested", "+com.a@1.0.0\ncom.a@2.0.0\ncom.a@3.0.0",
            [.update("com.a"), .install("com.a", version("2.0.0"))], ["com.a 1.0.0>2.0.0"]),
    ]

    @Test("The resolver plans the expected steps", arguments: answers)
    func brings(answer: Answer) throws {
        #expect(try SampleUniverse(answer.universe).plan(answer.requests) == answer.steps)
    }

    struct Refusal: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let universe: String
        let requests: [ChangeRequest]
        let code: AtriumError.Code
        let subject: String
        let reason: ErrorReason?
        let problems: [ErrorReason]

        init(
            _ name: String, _ universe: String, _ requests: [ChangeRequest], _ code: AtriumError.Code,
            _ subject: String, reason: ErrorReason? = nil, problems: [ErrorReason] = []
        ) {
            (testDescription, self.universe, self.requests) = (name, universe, requests)
            (self.code, self.subject, self.reason, self.problems) = (code, subject, reason, problems)
        }
    }

    static let refusals = [
        Refusal(
            "what contradicts what is installed, with the chains",
            "com.a@1.2.0: com.lib ^2.0.0\n+com.b@3.0.0: com.lib ^1.0.0\n+com.lib@1.4.0\ncom.lib@2.1.0",
            [.install("com.a")], .dependencyConflict, "com.a",
            problems: [
                .need("needs", of: "com.a@1.2.0", "com.lib", "^2.0.0"),
                .need("installedNeeds", of: "com.b@3.0.0", "com.lib", "^1.0.0"),
                ErrorReason("catalogHasBundle", ["bundle": "com.lib", "versions": ["2.1.0", "1.4.0 (installed)"]]),
            ]),
        Refusal(
            "two sides of a diamond that cannot agree, with the way there",
            """
            com.a@1.0.0: com.left ^1.0.0, com.right ^1.0.0
            com.left@1.0.0: com.lib ^1.0.0
            com.right@1.0.0: com.lib ^2.0.0
            com.lib@1.0.0
            !com.lib@2.1.0
            com.lib@2.0.0
            """, [.install("com.a", version("1.0.0"))], .dependencyConflict, "com.a@1.0.0",
            problems: [
                .need("needs", of: "com.a@1.0.0", "com.left", "^1.0.0"),
                .need("needs", of: "com.a@1.0.0", "com.right", "^1.0.0"),
                .need("needs", of: "com.left@1.0.0", "com.lib", "^1.0.0"),
                .need("needs", of: "com.right@1.0.0", "com.lib", "^2.0.0"),
                ErrorReason(
                    "catalogHasBundle", ["bundle": "com.lib", "versions": ["2.1.0 (quarantined)", "2.0.0", "1.0.0"]]),
            ]),
        Refusal(
            "two requests that contradict each other", "com.a@1.0.0: com.lib ^2.0.0\ncom.lib@1.0.0\ncom.lib@2.0.0",
            [.install("com.a"), .install("com.lib", version("1.0.0"))], .dependencyConflict, "com.a",
            problems: [
                .need("needs", of: "com.a@1.0.0", "com.lib", "^2.0.0"),
                ErrorReason("versionRequested", ["bundle": "com.lib@1.0.0"]),
            ]),
        Refusal(
            "an install that needs what is to be removed", "com.a@1.0.0: com.lib *\n+com.lib@1.0.0",
            [.remove("com.lib"), .install("com.a")], .dependencyConflict, "com.a",
            problems: [
                .need("needs", of: "com.a@1.0.0", "com.lib", "*"),
                ErrorReason("toBeRemoved", ["bundle": "com.lib"]),
            ]),
        Refusal(
            "two things that are asked of one bundle", "+com.a@1.0.0", [.install("com.a"), .remove("com.a")],
            .dependencyConflict, "com.a", reason: ErrorReason("requestedTwice")),
        Refusal(
            "a rollback that others cannot live with", "com.lib@1.0.0\n+com.lib@2.0.0\n+com.a@2.0.0: com.lib ^2.0.0",
            [.rollBack("com.lib", to: version("1.0.0"))], .dependencyConflict, "com.lib@1.0.0",
            problems: [
                .need("installedNeeds", of: "com.a@2.0.0", "com.lib", "^2.0.0"),
                ErrorReason("toGoBack", ["bundle": "com.lib", "version": "1.0.0"]),
            ]),
        Refusal(
            "what needs something that nobody offers, as it always did", "com.a@1.0.0: com.lib ^1.0.0",
            [.install("com.a")], .requirementUnmet, "com.a@1.0.0",
            reason: .need("itRequires", of: "com.a@1.0.0", "com.lib", "^1.0.0", ErrorReason("catalogHasNone"))),
        Refusal(
            "what calls something that nobody offers in range",
            "com.a@1.0.0: com.lib ^2.0.0 on demand\ncom.lib@1.0.0\ncom.lib@1.1.0", [.install("com.a")],
            .requirementUnmet, "com.a@1.0.0",
            reason: .need(
                "itCalls", of: "com.a@1.0.0", "com.lib", "^2.0.0",
                ErrorReason("catalogHas", ["versions": ["1.1.0", "1.0.0"]]))),
        Refusal(
            "what needs an older version than the one that is installed",
            "com.a@1.0.0: com.lib ^1.0.0\ncom.lib@1.0.0\n+com.lib@2.0.0", [.install("com.a")], .requirementUnmet,
            "com.a@1.0.0",
            reason: .need(
                "itRequires", of: "com.a@1.0.0", "com.lib", "^1.0.0",
                ErrorReason("versionInstalled", ["version": "2.0.0"]))),
        Refusal(
            "what needs something that needs what nobody offers, with the way there",
            "com.a@1.0.0: com.mid *\ncom.mid@1.0.0: com.lib ^1.0.0", [.install("com.a")], .requirementUnmet,
            "com.a@1.0.0",
            reason: .need("bundleRequires", of: "com.mid@1.0.0", "com.lib", "^1.0.0", ErrorReason("catalogHasNone")),
            problems: [
                .need("needs", of: "com.a@1.0.0", "com.mid", "*"),
                .need("needs", of: "com.mid@1.0.0", "com.lib", "^1.0.0"),
            ]),
        Refusal(
            "a requested version that is broken, whatever other versions there are", "com.a@1.0.0\n?com.a@2.0.0",
            [.install("com.a", version("2.0.0"))], .init("packageInvalid"), "com.a@2.0.0"),
        Refusal(
            "a requested bundle of which all versions are broken, with the error of the newest",
            "?com.a@1.0.0\n?com.a@2.0.0", [.install("com.a")], .init("packageInvalid"), "com.a@2.0.0"),
        Refusal(
            "what needs a bundle of which all versions are broken, with what is wrong",
            "com.a@1.0.0: com.lib *\n?com.lib@2.0.0", [.install("com.a")], .init("packageInvalid"), "com.lib@2.0.0"),
        Refusal(
            "what needs another to move, when there is only a pre-release to move to",
            "+com.lib@1.0.0\ncom.lib@2.0.0\n+com.a@1.0.0: com.lib ^1.0.0\ncom.a@2.0.0-beta.1: com.lib ^2.0.0",
            [.install("com.lib", version("2.0.0"))], .dependencyConflict, "com.lib@2.0.0",
            problems: [
                .need("installedNeeds", of: "com.a@1.0.0", "com.lib", "^1.0.0"),
                ErrorReason("versionRequested", ["bundle": "com.lib@2.0.0"]),
            ]),
        Refusal(
            "a version below the active one", "com.a@1.0.0\n+com.a@2.0.0", [.install("com.a", version("1.0.0"))],
            .downgrade, "com.a@1.0.0", reason: ErrorReason("versionActive", ["version": "2.0.0"])),
        Refusal("a bundle that nobody offers", "com.a@1.0.0", [.install("com.b")], .bundleUnknown, "com.b"),
        Refusal(
            "a version that nobody offers", "com.a@1.0.0", [.install("com.a", version("1.1.0"))], .versionUnknown,
            "com.a@1.1.0"),
        Refusal(
            "a version that is blocked", "!com.a@1.0.0", [.install("com.a", version("1.0.0"))], .init("quarantined"),
            "com.a@1.0.0"),
        Refusal(
            "a bundle of which all versions are blocked", "!com.a@1.0.0\n!com.a@1.1.0", [.install("com.a")],
            .init("quarantined"), "com.a@1.1.0"),
        Refusal("to update what is not installed", "com.a@1.0.0", [.update("com.a")], .bundleNotInstalled, "com.a"),
        Refusal(
            "to remove what others need, with each chain",
            """
            +com.app@1.0.0: com.mid ^1.0.0
            +com.mid@1.1.0: com.lib *
            +com.lib@1.0.0
            +com.tool@2.0.0: com.lib ^1.0.0
            +com.other@1.0.0: com.lib * on demand
            """, [.remove("com.lib")], .bundleNeeded, "com.lib",
            problems: [
                .need("needs", of: "com.mid@1.1.0", "com.lib", "*"),
                .need("needs", of: "com.tool@2.0.0", "com.lib", "^1.0.0"),
                .need("needs", of: "com.app@1.0.0", "com.mid", "^1.0.0"),
            ]),
        Refusal(
            "to remove what a bundle needs that comes with the next request", "+com.a@1.0.0: com.lib *\n+com.lib@1.0.0",
            [.remove("com.lib"), .update("com.a")], .dependencyConflict, "com.a",
            problems: [
                .need("installedNeeds", of: "com.a@1.0.0", "com.lib", "*"),
                ErrorReason("toBeRemoved", ["bundle": "com.lib"]),
            ]),
    ]

    @Test("The resolver rejects the requests with the expected error", arguments: refusals)
    func refuses(refusal: Refusal) throws {
        let universe = try SampleUniverse(refusal.universe)
        let error = #expect(throws: AtriumError.self) { try universe.plan(refusal.requests) }
        #expect(error?.code == refusal.code && error?.subject == refusal.subject)
        #expect(error?.reason == refusal.reason && error?.problems == refusal.problems)
    }

    @Test(
        "Requests that concern installed bundles only need no catalog",
        arguments: [
            ([ChangeRequest.remove("com.a")], ["com.a 1.0.0>"]), ([.install("com.a", version("1.0.0"))], []),
            ([.rollBack("com.lib", to: version("1.0.0"))], ["com.lib 1.1.0>1.0.0"]),
        ])
    func offline(requests: [ChangeRequest], steps: [String]) throws {
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
            ([ChangeRequest.install("com.b")], ["com.b 1.1.0"]),
            ([.install("com.b", version("1.0.0"))], ["com.b 1.0.0"]),
            ([.update("com.lib")], ["com.lib 1.0.0>1.1.0"]), ([.install("com.demand")], ["com.demand 1.0.0"]),
            ([.install("com.none")], nil), ([.install("com.b", version("2.0.0"))], nil),
            ([.install("com.needs")], nil), ([.install("com.clash")], nil), ([.install("com.blocked")], nil),
        ])
    func partlyOffline(requests: [ChangeRequest], steps: [String]?) throws {
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
