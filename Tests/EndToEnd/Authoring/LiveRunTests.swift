import Foundation
import PluginCore
import PluginTestKit
import Testing

@Suite("A plugin that runs while its author changes it", .tags(.large), .timeLimit(.minutes(10)))
struct LiveRunTests {
    /// The end of the text of each page of the plugin.
    private static let end = "(open name=<Name>)\n"

    @Test(
        "Each saved file updates the running plugin: its page opens again, even with an action \"open\", and the others stay"
    )
    func watch() async throws {
        let author = try await Workplace()
        try await author.run("bundletool", ["new", "Hello", "--identifier", "com.example.hello"])
        let page = "Hello/Sources/Hello/HomePage.swift"
        let source = try author.folder.appending(page).text.replacing("\"greet\"", with: "\"open\"")
        try author.folder.write(source, to: page)
        let live = try author.program("bundletool").start(["run", "Hello", "--watch"], folder: author.folder.path)
        #expect(try await live.wait(for: Self.end).contains("Hello\n=====\n"))

        func save(_ title: String) throws {
            let line = #"var title: String { context.texts.homeTitle }"#
            try author.folder.write(source.replacing(line, with: "var title: String { \(title) }"), to: page)
        }
        try save(#""Good morning""#)
        #expect(try await live.wait(for: Self.end).contains("\nGood morning\n"))
        try await live.send("pages\n")
        #expect(try await live.nextLine() == "Hello > Good morning")
        // The page before runs the code of the version before.
        try await live.send("back\n")
        #expect(try await live.wait(for: Self.end).hasPrefix("Hello\n"))

        // The compiler compares times in whole seconds: it misses a source that is saved again in the same second, after a build.
        try await Task.sleep(for: .seconds(1.2))
        try save("1")
        try await live.wait(forError: "HomePage.swift:")
        try await live.wait(forError: "swift build\" failed with status 1")
        try await live.send(".open app://hello\n")
        #expect(try await live.wait(for: Self.end).hasPrefix("Good morning\n"))
        let texts = "Hello/Resources/en.lproj/Localizable.json"
        let english = try author.folder.appending(texts).text
        try await Task.sleep(for: .seconds(1.2))
        try author.folder.write(source, to: page)
        try await live.wait(for: Self.end)
        try author.folder.write(english.replacing(#""home.title": "Hello""#, with: #""home.title": "Hi""#), to: texts)
        #expect(try await live.wait(for: Self.end).contains("Hi\n==\n"))

        // A file that is saved without a change is built, and shows no page again.
        let packages = author.folder.appending("Hello/.build/atrium/packages")
        // The folder is missing for a moment while a package is made.
        func names() -> [String] { (try? FileManager.default.contentsOfDirectory(atPath: packages.string)) ?? [] }
        let before = names()
        let same = try author.folder.appending(texts).text
        try author.folder.write(same, to: texts)
        while names().allSatisfy(before.contains) { try await Task.sleep(for: .milliseconds(10)) }
        try author.folder.write(same.replacing(#""home.title": "Hi""#, with: #""home.title": "Ho""#), to: texts)
        #expect(try await live.wait(for: Self.end).contains("Ho\n==\n"))
        let result = try await live.end()
        #expect(result.status == 0, "\(result)")
    }

    @Test("Runs of a plugin are open side by side, each in its language, and name a text that exists nowhere")
    func sideBySide() async throws {
        let author = try await Workplace()
        try await author.run("bundletool", ["new", "Hello", "--identifier", "com.example.hello"])
        let page = "Hello/Sources/Hello/HomePage.swift"
        let source = try author.folder.appending(page).text
        try author.folder.write(source.replacing("texts.homeTitle", with: "resources.string(\"home.titel\")"), to: page)
        let live = try author.program("bundletool")
            .start(["run", "Hello", "--watch", "--language", "de"], folder: author.folder.path)
        let end = "(greet name=<Name>)\n"
        #expect(try await live.wait(for: end).contains("Begrüßen"))
        try await live.wait(
            forError: #""home.titel" has no text: it is not in de, en; the key is shown; did you mean "home.title"?"#)
        let other = try await author.run("bundletool", ["run", "Hello", "--language", "en"])
        #expect(other.stdout.contains("Greet") && other.stderr.contains("home.titel"), "\(other)")
        // The first run shows the version of the second.
        #expect(try await live.wait(for: end).contains("Begrüßen"))
        #expect(try await live.end().status == 0)
    }

    private static let reason = "it is for trying plugins that are being developed"

    @Test("Hosts for users do not open a sandbox for development, and a host for development opens no other")
    func separation() async throws {
        let (sandbox, other) = (try ThrowawaySandbox(), try ThrowawaySandbox())
        let host = try HostApp.find().with(sandbox: sandbox)
        let account = "com.example.app.account"
        #expect(try await host.run("--development", "install", account).status == 0)
        #expect(try await host.run("--development", "open", "app://account").status == 0)
        for words in [["list"], ["open", "app://account"], ["install", account], ["doctor"]] {
            let refused = try await host.hostapp.run(words)
            #expect(refused.status != 0 && (refused.stdout + refused.stderr).contains(Self.reason), "\(refused)")
        }
        let users = try HostApp.find().with(sandbox: other)
        #expect(try await users.run("install", account).status == 0)
        let refused = try await users.run("--development", "list")
        #expect(refused.status == 74 && refused.stderr.contains("it is not for development"), "\(refused)")
    }

    @Test("A signal that ends bundletool ends the build, too")
    func endOfBuild() async throws {
        let author = try await Workplace()
        try await author.run("bundletool", ["new", "Hello", "--identifier", "com.example.hello"])
        let name = "swift-build-\(UUID().uuidString)"
        // A program in place of swift, which tells that it runs, and ends only by a signal.
        let fake = try author.folder.write("#!/bin/sh\necho $$ > '\(name)'\nexec sleep 300\n", to: "fake/swift")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: fake.string)
        let path = ["PATH": fake.parent.string + ":/usr/bin:/bin"]
        let build = try author.program("bundletool")
            .start(["build", "Hello"], environment: path, folder: author.folder.path)
        var number: Int32?
        let patience = ContinuousClock.now + .seconds(300)
        while number == nil, ContinuousClock.now < patience {
            let text = try? String(contentsOfFile: author.folder.appending(name).string, encoding: .utf8)
            number = text.flatMap { Int32($0.trimmingCharacters(in: .newlines)) }
            try await Task.sleep(for: .milliseconds(10))
        }
        build.signal(SIGTERM)
        let result = try await build.result()
        #expect(result.status != 0, "\(result)")
        // The system may take a moment to end the process of the build.
        let deadline = ContinuousClock.now + .seconds(20)
        while let number, Self.isRunning(number), ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(number.map(Self.isRunning) == false)
    }

    private static func isRunning(_ number: Int32) -> Bool {
        // A process that nobody has reaped yet is a zombie.
        let status = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8)
        return status?.contains(") Z ") == false
    }
}
