import Foundation
import PluginCore
import PluginTestKit
import Testing

@Suite("bundletool validate", .tags(.large), .timeLimit(.minutes(10)))
struct ValidateTests {
    private static let all = [
        "load", "load-twice", "unload-with-open-pages", "routes-answer", "actions-answer", "garbage-parameters", "hang",
        "descriptor-leak", "memory-leak", "there-and-back", "container-writes", "texts", "extensions-answer",
        "extensions-garbage",
        "extensions-leak",
    ]
    /// The checks that need no last release.
    private static let alone = all.filter { $0 != "there-and-back" }

    @Test("A plugin without faults passes all checks, and nothing is left of them")
    func faultless() async throws {
        let plugin = try await FaultyPlugin()
        let temporary = plugin.folder.appending("temporary")
        try temporary.makeFolder()
        for words in [[], ["--in-process"]] {
            let result = try await HostApp.find().bundletool.run(
                ["validate", plugin.package.string, "--trust-code", "--opens", "40", "--json"] + words,
                environment: ["TMPDIR": temporary.string]
            ).succeeded()
            let report = try result.json(as: JSON.self)
            #expect(report.passed == true && report.named("passed") == Self.alone, "\(result)")
            #expect(report.bundle == "com.example.faulty@1.0.0")
            #expect(try FileManager.default.subpathsOfDirectory(atPath: temporary.string) == [])
        }
    }

    @Test(
        "Each planted fault is found by exactly its check",
        arguments: [
            ("load", "the moon is full"), ("load-twice", "crashed (SIGILL) during: load the plugin"),
            (
                "unload-with-open-pages",
                "crashed (SIGILL) during: draw the open page of app://sample after the plugin was uninstalled"
            ),
            ("routes-answer", "app://sample/wait: "), ("actions-answer", "Sample.count: "),
            ("garbage-parameters", "crashed (SIGILL) during: open app://sample/item/"),
            ("hang", "blocked the main actor for 10 s during: perform save on the page \"Sample\" with no parameters"),
            ("descriptor-leak", "more descriptors are open after pages were opened 40 times"),
            ("memory-leak", "40 of 40 pages still exist"),
            ("container-writes", "stray in the folder for temporary files of the system (TMPDIR) was written"),
            ("texts", "in zh-Hans: \"english\" has no text: it is not in zh-Hans"),
            ("extensions-answer", "com.example.faulty.widget: "), ("extensions-garbage", "with {\"columns\":-"),
            ("extensions-leak", "com.example.faulty.widget: 100 more descriptors are open after 100 requests"),
        ])
    func planted(check: String, problem: String) async throws {
        // The last ones are planted in the extension, the others in the plugin.
        let plugin = try await FaultyPlugin(widgetFault: check)
        let result = try await plugin.validate(fault: check, "--seed", "1", "--json")
        #expect(result.status == 77, "\(result)")
        let report = try result.json(as: JSON.self)
        let failures = report.named("failed").map { "\($0): \(report.found(by: $0))" }
        #expect(failures.count == 1 && failures[0].hasPrefix("\(check): "), "\(failures)")
        #expect(report.passed == false && failures.joined().contains(problem), "\(failures)")
        #expect(report.named("skipped") == (check == "load" ? Array(Self.alone.dropFirst()) : []), "\(result)")
    }

    @Test(
        "An update that migrates data passes there and back only with a higher data version",
        arguments: [0, 1])
    func thereAndBack(dataVersion: Int) async throws {
        let last = try await FaultyPlugin()
        let next = try await FaultyPlugin(version: "1.1.0", dataVersion: dataVersion)
        let result = try await next.validate(
            fault: "migration", "--against", last.package.parent.string, "--only", "there-and-back", "--json")
        let report = try result.json(as: JSON.self)
        guard dataVersion == 0 else {
            #expect(result.status == 0 && report.named("passed") == ["load", "there-and-back"], "\(result)")
            return
        }
        #expect(result.status == 77 && report.named("failed") == ["there-and-back"], "\(result)")
        let problems = report.found(by: "there-and-back")
        #expect(problems.contains("raises the user_version of Documents/data.sqlite to 1"), "\(result)")
        #expect(problems.contains("1.0.0 does not run after an update and a rollback"), "\(result)")
    }

    @Test(
        "Each check finds further faults",
        arguments: [
            ("load-crash", "load", "the plugin crashed (SIGILL) during: load the plugin"),
            ("late-unload", "load", "bundleWillUnload"),
            ("exit", "routes-answer", "the process ended with exit status 70 during: open app://sample/wait"),
            ("endless", "hang", "the action save of app://sample did not end within the deadline"),
            ("form", "hang", "the action save of app://sample: its input has no property: txt"),
            ("cache", "memory-leak", "bytes stay allocated for each page"),
            ("home-write", "container-writes", "~/.stray in the home folder was written"),
            ("folder-write", "container-writes", "stray in the working folder was written"),
            ("passing-write", "container-writes", "/tmp/stray-"),
            ("folder-elsewhere", "container-writes", "/var/tmp/stray-folder was written, outside of the sandbox"),
            (
                "sandbox-write", "container-writes",
                "Containers/Data/Plugins/com.example.faulty/02 in the sandbox was written"
            ),
            ("key", "texts", "app://sample shows the key \"hello\" in zh-Hans"),
            // Faults of the extension.
            ("start", "extensions-answer", "SIGABRT"),
            ("crash", "extensions-answer", "SIGABRT"), ("never", "extensions-answer", "5.0 s"),
            ("slow-garbage", "extensions-garbage", "with {\"columns\":-"),
            ("stays", "extensions-leak", "the process did not end when it was asked to"),
        ])
    func further(fault: String, check: String, problem: String) async throws {
        let plugin = try await FaultyPlugin(widgetFault: fault)
        let result = try await plugin.validate(fault: fault, "--only", check, "--seed", "1", "--json")
        #expect(result.status == 77, "\(result)")
        let report = try result.json(as: JSON.self)
        #expect(report.checks.elements.map(\.id.string) == (check == "load" ? ["load"] : ["load", check]))
        #expect(report.named("failed") == [check] && report.found(by: check).contains(problem), "\(result)")
    }

    @Test("An error of an extension is an answer, which is listed, and its check has not passed")
    func refusal() async throws {
        let plugin = try await FaultyPlugin(widgetFault: "refuses")
        let result = try await plugin.validate(
            "--only", "extensions-answer", "--only", "extensions-garbage", "--only", "extensions-leak", "--json")
        #expect(result.status == 0, "\(result)")
        let report = try result.json(as: JSON.self)
        #expect(report.allNotes.contains { $0.contains("it refuses") }, "\(result)")
        #expect(report.named("warning") == ["extensions-answer"] && report.named("passed").count == 3, "\(result)")
    }

    @Test("An extension that cannot be started fails one check, and none of its others has passed")
    func unstartable() async throws {
        let plugin = try await FaultyPlugin(widgetFault: "throws")
        let words = ["extensions-answer", "extensions-garbage", "extensions-leak"].flatMap { ["--only", $0] }
        let result = try await HostApp.find().bundletool.run(
            ["validate", plugin.package.string, "--trust-code", "--json"] + words)
        let report = try result.json(as: JSON.self)
        #expect(result.status == 77 && report.named("failed") == ["extensions-answer"], "\(result)")
        #expect(report.named("warning") == ["extensions-garbage", "extensions-leak"], "\(result)")
    }

    @Test("A seed repeats the same random input, and another seed makes other input")
    func seed() async throws {
        let plugin = try await FaultyPlugin()
        func problem(_ seed: String) async throws -> String {
            let result = try await plugin.validate(
                fault: "garbage-parameters", "--only", "garbage-parameters", "--seed", seed, "--json")
            let report = try result.json(as: JSON.self)
            #expect(report.seed == .number(try #require(Double(seed))))
            return report.found(by: "garbage-parameters")
        }
        let problems = try await [problem("1"), problem("1"), problem("2"), problem("3")]
        #expect(problems[0] == problems[1] && Set(problems).count > 1, "\(problems)")
    }

    @Test("A check that takes too long is ended, and a hang ends all checks in one process")
    func limits() async throws {
        let plugin = try await FaultyPlugin()
        let late = try await plugin.validate(
            fault: "hang", deadline: 600, "--only", "hang", "--timeout", "30", "--json")
        #expect(late.status == 77)
        #expect(
            try late.json(as: JSON.self).found(by: "hang").hasPrefix(
                "the check did not end within 30 s during: perform save"), "\(late)")
        let hang = try await plugin.validate(fault: "hang", "--in-process", "--json")
        let report = try hang.json(as: JSON.self)
        // The first check that performs the action cannot go on, and no other process can.
        #expect(hang.status == 77 && report.named("failed") == ["unload-with-open-pages"], "\(hang)")
        let last = report.checks.elements.last?.problems.elements.last
        #expect(last == "the checks after this one did not run", "\(hang)")
    }

    @Test(
        "The sample plugins pass",
        arguments: [
            ("account-1.0.0", ["app://account/profile?name=Ada&age=36"]), ("shop-1.1.0", ["app://shop/item/42"]),
            ("orders-1.0.0", []), ("notes-1.0.0", []), ("photos-1.0.0", []),
            ("stocks-1.0.0", []),
        ])
    func samples(name: String, addresses: [String]) async throws {
        let build = try HostApp.find()
        let packages = ["lib.money-1.0.0", "app.account-1.0.0", "app.orders-1.0.0"].filter { !$0.hasSuffix(name) }
        let words =
            packages.flatMap { ["--dependency", build.catalog.appending("com.example.\($0).zip").string] }
            + addresses.flatMap { ["--address", $0] }
        let package = build.catalog.appending("com.example.app.\(name).zip").string
        let result = try await build.bundletool.run(
            ["validate", package, "--trust-code", "--opens", "40", "--json"] + words)
        #expect(result.status == 0, "\(result)")
        let report = try result.json(as: JSON.self)
        #expect(report.named("failed") == [])
        #expect(report.named("passed").count >= 10, "\(result)")
        for address in addresses {
            #expect(!report.allNotes.contains { $0.hasPrefix(address) }, "\(result)")
        }
    }

    @Test("The report for people shows each result, with what was found below it")
    func text() async throws {
        let plugin = try await FaultyPlugin()
        let result = try await plugin.validate(fault: "key", "--only", "texts", "--seed", "7")
        let lines = result.lines.map { $0.replacing(#/ \([0-9.]+ s\)/#, with: "") }
        #expect(
            lines == [
                "passed   load", "failed   texts", "  - app://sample shows the key \"hello\" in en",
                "  - app://sample/item/1 shows the key \"hello\" in en",
                "  - app://sample shows the key \"hello\" in zh-Hans",
                "  - app://sample/item/1 shows the key \"hello\" in zh-Hans", "",
                "com.example.faulty@1.0.0: 1 passed, 0 with warnings, 1 failed, 0 skipped; the seed is 7",
            ], "\(result)")
    }

    @Test(
        "Code of a package that no host confines runs only with --trust-code, without a terminal, and leaves nothing before"
    )
    func untrusted() async throws {
        let plugin = try await FaultyPlugin()
        let bundletool = try HostApp.find().bundletool
        for words in [["--only", "container-writes"], ["--in-process"]] {
            let mark = plugin.folder.appending("mark")
            let result = try await bundletool.run(
                ["validate", plugin.package.string, "--json"] + words,
                environment: [FaultyPlugin.variable: "load-mark", "ATRIUM_TEST_MARK": mark.string])
            #expect(result.status == 77, "\(result)")
            #expect(result.stdout.contains("codeNotTrusted") && result.stdout.contains("--trust-code"))
            #expect(!mark.exists)
        }
        // A plugin that is confined, with a dependency that is not.
        let confined = try await FaultyPlugin(isolation: "process")
        let dependency = try await bundletool.run(
            ["validate", confined.package.string, "--dependency", plugin.package.string])
        #expect(dependency.status == 77 && dependency.stderr.contains("com.example.faulty@1.0.0"), "\(dependency)")
    }

    @Test("A plugin that a host confines is confined by validate, and needs no --trust-code")
    func confined() async throws {
        let bundletool = try HostApp.find().bundletool
        func validate(fault: String, _ words: String...) async throws -> (JSON, ProcessResult) {
            let plugin = try await FaultyPlugin(widgetFault: fault, isolation: "process")
            let result = try await bundletool.run(
                ["validate", plugin.package.string, "--opens", "40", "--seed", "1", "--json"] + words)
            return (try result.json(as: JSON.self), result)
        }
        let (report, result) = try await validate(fault: "none")
        #expect(result.status == 0 && report.named("skipped") == ["descriptor-leak", "memory-leak"], "\(result)")
        let (crash, crashResult) = try await validate(fault: "garbage-parameters", "--only", "garbage-parameters")
        #expect(crash.named("failed") == ["garbage-parameters"], "\(crashResult)")
        #expect(crash.found(by: "garbage-parameters").contains("during: open app://sample/item/"), "\(crashResult)")
        let (load, loadResult) = try await validate(fault: "load-crash", "--only", "texts")
        #expect(load.named("failed") == ["load"] && load.found(by: "load").contains("crashed"), "\(loadResult)")
        // The kernel denies the write, and the check finds the attempt.
        let (write, writeResult) = try await validate(fault: "passing-write", "--only", "container-writes")
        #expect(write.named("failed") == ["container-writes"], "\(writeResult)")
    }

    @Test("Errors name what is wrong: an unknown check, an address of nobody, a library, a missing requirement")
    func errors() async throws {
        let build = try HostApp.find()
        func failure(_ name: String, _ words: String...) async throws -> ProcessResult {
            try await build.bundletool.run(
                ["validate", "--trust-code", build.catalog.appending("com.example.\(name).zip").string] + words)
        }
        let check = try await failure("app.account-1.0.0", "--only", "txts")
        #expect(check.status == 64 && check.stderr.contains("did you mean \"texts\"?"), "\(check)")
        let address = try await failure("app.account-1.0.0", "--address", "app://shop")
        #expect(address.status == 64 && address.stderr.contains("has no route for \"app://shop\""), "\(address)")
        let library = try await failure("lib.money-1.0.0")
        #expect(library.status == 64 && library.stderr.contains("is of kind lib"), "\(library)")
        let requirement = try await failure("app.stocks-1.0.0")
        #expect(requirement.status == 77 && requirement.stderr.contains("add --dependency"), "\(requirement)")
        #expect(requirement.stderr.contains("com.example.lib.money"), "\(requirement)")
        let missing = try await failure("app.nothing-1.0.0")
        #expect(missing.status == 66, "\(missing)")
        #expect(try await build.bundletool.run("validate").status == 64)
    }

    @Test("Documentation/Validate.md lists exactly the checks")
    func documented() async throws {
        let list = try await HostApp.find().bundletool.run("validate", "--list", "--json").json(as: JSON.self)
        let listed = list.checks.elements
        #expect(listed.map(\.id.string) == Self.all)
        let rows = try DocumentPage("Documentation/Validate.md").text.matches(
            of: /(?m)^\| `([a-z][a-z-]*)` \| ([^|]+) \|/
        )
        .map { "\($0.output.1): \($0.output.2)" }
        #expect(rows == listed.map { "\($0.id): \($0.summary)" })
    }
}

extension JSON {
    fileprivate var allNotes: [String] { self.checks.elements.flatMap(\.notes.elements).map(\.string) }

    /// The checks of a report with a result.
    fileprivate func named(_ result: String) -> [String] {
        self.checks.elements.filter { $0.result.string == result }.map(\.id.string)
    }

    fileprivate func found(by check: String) -> String {
        let found = self.checks.elements.first { $0.id.string == check }
        return (found?.problems.elements ?? []).map(\.string).joined(separator: "\n")
    }
}
