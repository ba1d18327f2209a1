import Console
import Foundation
import PluginCore
@testable import PluginRuntime
import Testing

@testable import AppHost
@testable import Doctor
@testable import Registry

@MainActor
@Suite("Repairs by the doctor", .tags(.medium), .timeLimit(.minutes(2)))
struct DoctorFixTests {
    private let fixture: AppFixture
    private static let notes: BundleIdentifier = "com.example.notes"

    init() throws {
        fixture = try AppFixture()
        try fixture.compose([])
    }

    /// A kind of problem: how it comes about, the commands that repair it, and what remains.
    struct PlantedProblem: Sendable, CustomTestStringConvertible {
        typealias Plant = @MainActor @Sendable (AppFixture) async throws -> Void
        let testDescription: String
        let commands: [String]
        let remaining: [String]
        let plant: Plant

        init(_ name: String, commands: [String] = [], remaining: [String] = [], _ plant: @escaping Plant) {
            (testDescription, self.commands, self.remaining, self.plant) = (name, commands, remaining, plant)
        }
    }

    private static func installed(_ fixture: AppFixture, _ version: String = "1.0.0") throws -> FilePath {
        let bundle = try #require(try Registry(fixture.box).active.bundle(notes)?.active)
        return fixture.box.folder(of: bundle)
    }

    private static func install(_ fixture: AppFixture, _ line: String = "install com.example.notes") async throws {
        try fixture.assets.offer(notes)
        try await fixture.run(line)
    }

    nonisolated static let plantedProblems = [
        PlantedProblem("a damaged file of a version", commands: ["install com.example.notes@1.0.0"]) { fixture in
            try await install(fixture)
            let page = try installed(fixture).appending("Resources/Pages/help.json")
            try FileManager.default.removeItem(atPath: page.string)
        },
        PlantedProblem("leftovers", commands: ["gc"]) { fixture in
            try await install(fixture)
            let version = fixture.box.plugins.appending("com.example.notes/9.9.9-abc")
            for place in [version, fixture.box.staging.appending("x")] {
                try FileManager.default.createDirectory(atPath: place.string, withIntermediateDirectories: true)
            }
        },
        // The old registry is kept until the next round.
        PlantedProblem("a damaged registry", commands: ["doctor --rebuild"], remaining: ["leftovers"]) { fixture in
            try await install(fixture)
            try Data("no registry".utf8).write(to: URL(filePath: fixture.box.registry.string))
            for end in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: "\(fixture.box.registry)\(end)") }
        },
        PlantedProblem("a missing requirement", commands: ["install com.example.lib", "gc"]) { fixture in
            try fixture.assets.offer("com.example.lib")
            try fixture.assets.offer(notes, requires: AssetsFixture.need("com.example.lib"))
            try await fixture.run("install com.example.notes")
            try Registry(fixture.box).commit([.remove("com.example.lib")])
        },
        PlantedProblem("a version outside of the app's range", commands: ["app install"]) { fixture in
            try await install(fixture)
            try fixture.assets.offer(notes, version: "1.1.0")
            try fixture.compose([("com.example.notes", "^1.1.0")])
        },
        PlantedProblem("a bundle of the app that nobody has", remaining: ["composition", "sandbox"]) {
            try $0.compose([("com.example.absent", nil)])
        },
        PlantedProblem("a package that is no package", remaining: ["catalog", "sandbox"]) {
            try $0.assets.folder.write("no zip", to: "catalog/com.example.bad-1.0.0.zip")
        },
        // Without it, no signature of an installed version can be checked.
        PlantedProblem("a trust store that cannot be read", remaining: ["trust", "versions"]) { fixture in
            try await install(fixture)
            try Data("no JSON".utf8).write(to: URL(filePath: fixture.box.trust.string))
        },
        // No version is active any more, so nothing needs this one.
        PlantedProblem("a version that crashed the host", commands: ["gc"], remaining: ["quarantine"]) { fixture in
            try await install(fixture)
            try fixture.quarantine(notes)
        },
    ]

    @Test("A plugin without a version that may run is listed as disabled, with the reason")
    func disabled() async throws {
        try await Self.install(fixture)
        #expect(try await fixture.run("list").json.text().contains(#""disabled":[]"#))
        try fixture.quarantine(Self.notes)
        let list = try await fixture.run("list")
        #expect(list.text.contains("com.example.notes@1.0.0 is disabled: "), "\(list.text)")
        #expect(!list.text.contains("Nothing is installed"))
        #expect(list.json.text().contains(#""disabled":[{"identifier":"com.example.notes","version":"1.0.0""#))
    }

    @Test(
        "Each kind of problem is repaired by the command that is its remedy, or left with the reason",
        arguments: plantedProblems)
    func repaired(problem: PlantedProblem) async throws {
        try await problem.plant(fixture)
        let before = try fixture.tree()
        let plan = try await fixture.run("doctor --dry-run --yes")
        #expect(try fixture.tree() == before, "a dry run changes nothing")
        #expect(plan.lines(startingWith: "Would run: hostapp ") == problem.commands, "\(plan.text)")

        let answer = try await fixture.run("doctor --fix --yes")
        #expect(answer.lines(startingWith: "Done: hostapp ") == problem.commands, "\(answer.text)")
        #expect(!answer.text.contains("Failed: "), "\(answer.text)")
        let remaining = Set(try await fixture.findings().map(\.check.rawValue))
        #expect(remaining == Set(problem.remaining), "\(answer.text)")
        if problem.remaining.contains("leftovers") {
            _ = try await fixture.run("doctor --fix --yes")
            #expect(try await fixture.findings().isEmpty)
        }
    }

    @Test(
        "A published catalog whose metadata has expired is refreshed as soon as its owner has renewed it",
        arguments: [false, true])
    func expired(isSaved: Bool) async throws {
        let published = try PublishedCatalog(at: fixture.assets.folder.path.appending("published"))
        var fixture = fixture
        fixture.catalog = "file://\(published.folder)"
        try await fixture.run("catalog trust \(published.root)")
        try await fixture.run("catalog refresh")
        #expect(try await fixture.findings().isEmpty)

        try published.renew(for: 0)
        if isSaved { try published.save(timestampIn: fixture.box) }
        let doctor = try await fixture.run("doctor")
        #expect(doctor.text.contains("timestamp") && doctor.text.contains("expired"), "\(doctor.text)")
        #expect(doctor.status == .refused)
        let found = try await fixture.findings()
        #expect(found.map(\.subject) == [fixture.catalog], "\(found)")
        let before = try fixture.tree()
        let plan = try await fixture.run("doctor --dry-run")
        #expect(plan.lines(startingWith: "Would run: hostapp ") == ["catalog refresh"], "\(plan.text)")
        #expect(try fixture.tree() == before, "a dry run changes nothing")

        // The owner has not renewed it yet.
        let early = try await fixture.run("doctor --fix --yes")
        #expect(early.lines(startingWith: "Failed: hostapp ") == ["catalog refresh"], "\(early.text)")
        #expect(early.text.contains("expired") && early.status == .refused, "\(early.text)")

        // The owner renews it between the check and the repair.
        let call = try fixture.call(of: "doctor --fix --yes")
        let round = RemedyRound(call, await fixture.findings(call))
        try published.renew(for: 1)
        let answer = try await round.run()
        #expect(answer.lines(startingWith: "Done: hostapp ") == ["catalog refresh"], "\(answer.text)")
        #expect(answer.text.contains("is up to date, and valid until 20"), "\(answer.text)")
        #expect(answer.status == .done)
        #expect(try await fixture.findings().isEmpty)
        #expect(try await fixture.run("doctor").status == .done)
    }

    @Test("A repair that fails is reported, and the others still run")
    func failing() async throws {
        try await Self.install(fixture)
        try FileManager.default.removeItem(
            atPath: try Self.installed(fixture).appending("Resources/Pages/help.json").string)
        let left = fixture.box.plugins.appending("com.example.notes/9.9.9-abc").string
        try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: true)
        try fixture.assets.folder.remove("catalog/com.example.notes-1.0.0.zip")
        let answer = try await fixture.run("doctor --fix --yes")
        #expect(answer.lines(startingWith: "Failed: hostapp ") == ["install com.example.notes@1.0.0"], "\(answer.text)")
        #expect(answer.lines(startingWith: "Done: hostapp ") == ["gc"])
        #expect(answer.text.contains("error: "), "\(answer.text)")
        #expect(answer.status == .refused)
        #expect(answer.json.text().contains(#""state":"failed","findings""#), "\(answer.json.text())")
        #expect(!FileManager.default.fileExists(atPath: left))
    }

    @Test("A version that crashed is left to the user, with the command that allows it")
    func undecided() async throws {
        try await Self.install(fixture)
        try fixture.quarantine(Self.notes)
        let answer = try await fixture.run("doctor --fix --yes")
        #expect(answer.text.contains("Left to you: hostapp unblock com.example.notes@1.0.0"), "\(answer.text)")
        #expect(answer.json.text().contains(#""state":"undecided""#))
    }

    @Test("Without a terminal and without --yes, nothing is repaired")
    func unasked() async throws {
        try await Self.install(fixture)
        let left = fixture.box.plugins.appending("com.example.notes/9.9.9-abc").string
        try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: true)
        let error = await #expect(throws: UsageError.self) { try await fixture.run("doctor --fix --json") }
        #expect(error?.report.message == "hostapp doctor needs a terminal to ask on, or --yes")
        #expect(error?.exitStatus == .usage)
        #expect(FileManager.default.fileExists(atPath: left))
        for line in ["doctor --yes", "doctor --rebuild --fix", "doctor --rebuild --dry-run"] {
            await #expect(throws: UsageError.self) { try await fixture.run(line) }
        }
    }

    @Test("The sentence that people read contains the command that is run, which the command line accepts")
    func sentences() throws {
        let identity = BundleIdentity(identifier: Self.notes, version: SemanticVersion(major: 1, minor: 0, patch: 0))
        for command in RemedyCommand.all(of: identity) {
            let line = (["hostapp"] + command.arguments).joined(separator: " ")
            #expect(command.reason.sentence.contains(line), "\(command)")
            let parsed = try CommandLineParser(HostCommands.shellRoot).parse(command.arguments)
            #expect(HostCommands.inShell.contains { $0.description.name == parsed.path.first })
        }
    }
}

extension Answer {
    /// The rest of each line that starts with a text.
    fileprivate func lines(startingWith start: String) -> [String] {
        text.split(separator: "\n").filter { $0.hasPrefix(start) }.map { String($0.dropFirst(start.count)) }
    }
}

extension AppFixture {
    /// The sandbox.
    fileprivate var box: Sandbox { Sandbox(root: assets.folder.path.appending(sandbox)) }

    /// Quarantines the active version of a bundle.
    fileprivate func quarantine(_ identifier: BundleIdentifier) throws {
        let registry = Registry(box)
        let bundle = try #require(try registry.active.bundle(identifier)?.active)
        try registry.commit([.quarantine(bundle, reason: .verbatim("it crashed"), then: nil)])
    }

    /// The findings of a new checkup, without those about the kernel.
    fileprivate func findings() async throws -> [CheckupFinding] { try await findings(call(of: "doctor")) }

    /// The findings of a call of the doctor, without those about the kernel.
    fileprivate func findings(_ call: HostCall) async -> [CheckupFinding] {
        await AppHost.checked(call).filter { $0.severity != .fine && $0.check != .confinement }
    }

    /// The paths in the sandbox with their sizes and modification times; none if the sandbox does not exist.
    fileprivate func tree() throws -> [String: String] {
        let root = box.root.string
        guard FileManager.default.fileExists(atPath: root) else { return [:] }
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root)
        return try Dictionary(
            uniqueKeysWithValues: paths.map { path in
                let attributes = try FileManager.default.attributesOfItem(atPath: root + "/" + path)
                return (path, "\(attributes[.size] ?? "") \(attributes[.modificationDate] ?? "")")
            })
    }
}
