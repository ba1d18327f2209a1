import Console
import Foundation
import PluginCore
import PluginRouter
import PluginRuntime
import Registry
import Synchronization
import Testing

@testable import AppHost

@MainActor
@Suite("Links that leave the app", .tags(.medium), .timeLimit(.minutes(2)))
struct OutboundLinkTests {
    private let fixture: AssetsFixture
    private static let page = "https://example.com/a?b=c"

    init() throws {
        fixture = try AssetsFixture()
        try fixture.folder.write("#!/bin/sh\necho \"$1\" >> \"\(fixture.folder.path)/opened\"\n", to: "tools/xdg-open")
        #expect(chmod(fixture.folder.path.appending("tools/xdg-open").string, 0o755) == 0)
    }

    private func compose(_ fields: String = "") throws {
        let more = fields.isEmpty ? "" : fields + ", "
        try fixture.folder.write("{\"formatVersion\": 1, \"name\": \"App\", \(more)\"bundles\": []}", to: "bundle.json")
    }

    /// The links that the system has opened.
    private var opened: [String] {
        let text = try? String(contentsOfFile: fixture.folder.path.appending("opened").string, encoding: .utf8)
        return (text ?? "").split(separator: "\n").map(String.init)
    }

    /// Runs `open`, with an answer to the question if there is a user.
    private func open(
        _ words: String..., path: String = "tools", startedByLink: Bool = false, answer: Bool? = nil,
        asked: Asked? = nil, passed: SystemLink? = nil
    ) async throws {
        var variables = ["XDG_DATA_HOME": fixture.folder.path.string]
        variables["PATH"] = "\(fixture.folder.path.appending(path).string):/usr/bin:/bin"
        if startedByLink { variables[SystemOpener.marker] = "1" }
        if path != "tools" { variables["PATH"] = fixture.folder.path.appending(path).string }
        let environment = HostEnvironment(
            variables: variables, executable: fixture.folder.path.appending("app/bin/hostapp"),
            workingFolder: fixture.folder.path)
        let place = AssetsFixture.place + ["--composition", "bundle.json", "--json"]
        let call = try fixture.call(["open"] + words, at: place, in: environment)
        if let passed { call.passedLinks.add(passed) }
        if let answer {
            call.linkQuestion = { link, origin in
                asked?.add(OutboundLinks.lines(about: link, from: origin))
                return answer
            }
        }
        _ = try await call.answer()
    }

    private final class Asked: Sendable {
        private let texts = Mutex<[String]>([])
        var all: [String] { texts.withLock { $0 } }
        func add(_ text: String) { texts.withLock { $0.append(text) } }
    }

    private func refusal(_ body: () async throws -> Void) async -> String? {
        let error = await #expect(throws: AtriumError.self) { try await body() }
        return error.map { "\($0.code.name) \($0.reason?.name ?? "")" }
    }

    @Test("A link is passed on after the user's yes, and not after a no or without a user")
    func asked() async throws {
        try compose()
        #expect(await refusal { try await open(Self.page) } == "systemLinkDenied linkUnasked")
        #expect(await refusal { try await open(Self.page, answer: false) } == "systemLinkDenied linkDeclined")
        #expect(opened.isEmpty)
        let asked = Asked()
        try await open("https://bank.example@evil.example/\u{202E}x", answer: true, asked: asked)
        #expect(opened == ["https://bank.example@evil.example/%E2%80%AEx"])
        let lines = "Link: https://bank.example@evil.example/%E2%80%AEx\nServer: evil.example\nAsked for by: host\n"
        #expect(asked.all == [lines])
        try await open("mailto:ada@example.com", answer: true)
        try await open("tel:+4930123", answer: true)
        #expect(opened.suffix(2) == ["mailto:ada@example.com", "tel:+4930123"])
    }

    @Test("bundle.json and --system-links choose whether links are passed on, and the option wins")
    func rules() async throws {
        try compose("\"systemLinks\": \"open\"")
        try await open(Self.page)
        #expect(opened == [Self.page])
        let never = await refusal { try await open(Self.page, "--system-links", "never") }
        #expect(never == "systemLinkDenied linkRuleNever")
        try compose("\"systemLinks\": \"never\"")
        #expect(await refusal { try await open(Self.page, answer: true) } == "systemLinkDenied linkRuleNever")
        try await open(Self.page, "--system-links", "open")
        #expect(opened == [Self.page, Self.page])
        let error = await #expect(throws: UsageError.self) { try await open(Self.page, "--system-links", "opne") }
        #expect(error?.nearest == "open")
    }

    @Test("A link from outside of the app is never passed on without a question, whatever the rule")
    func outside() async throws {
        try compose("\"systemLinks\": \"open\"")
        let unasked = "systemLinkDenied outsideLinkUnasked"
        #expect(await refusal { try await open(Self.page, "--external") } == unasked)
        #expect(await refusal { try await open(Self.page, "--external", "--system-links", "open") } == unasked)
        #expect(opened.isEmpty)
        try await open(Self.page, "--external", answer: true)
        #expect(opened == [Self.page])
    }

    @Test("A link of a plugin in a process of its own is never passed on without a question, although the rule is open")
    func confined() async throws {
        func pass(_ text: String, asking question: OutboundLinks.Question?) async throws {
            let variables = ["PATH": "\(fixture.folder.path.appending("tools").string):/usr/bin:/bin"]
            let opener = SystemOpener(searchPath: variables["PATH"] ?? "", variables: variables)
            let links = OutboundLinks(
                rule: .open, source: "a test", opener: opener, question: question, passed: PassedLinks())
            try await links.pass(
                OutboundLink(
                    uri: try ResourceURI(text), origin: .plugin("com.example.confined"), isFromOutside: false,
                    isFromConfined: true))
        }
        for link in [Self.page, "mailto:ada@example.com?body=secret"] {
            #expect(await refusal { try await pass(link, asking: nil) } == "systemLinkDenied confinedLinkUnasked")
            let declined = await refusal { try await pass(link) { _, _ in false } }
            #expect(declined == "systemLinkDenied linkDeclined")
            #expect(opened.isEmpty)
        }
        try await pass(Self.page) { _, _ in true }
        #expect(opened == [Self.page])
    }

    @Test("A link that the system returns is not passed on again, so that no loop is possible")
    func loop() async throws {
        try compose()
        let refused = await refusal { try await open(Self.page, "--external", startedByLink: true, answer: true) }
        #expect(refused == "systemLinkDenied linkReturned")
        let link = try #require(try SystemLink(ResourceURI(Self.page)))
        let again = await refusal { try await open(Self.page, "--external", answer: true, passed: link) }
        #expect(again == "systemLinkDenied linkReturned")
        #expect(opened.isEmpty)
    }

    @Test("Only the schemes of the host and of bundle.json are passed on, and never those of the app or of files")
    func schemes() async throws {
        try compose("\"systemSchemes\": [\"SMS\"]")
        try await open("sms:+4930123", answer: true)
        #expect(opened == ["sms:+4930123"])
        #expect(await refusal { try await open("ftp://example.com", answer: true) } == "routeUnknown ")
        #expect(await refusal { try await open("app://nobody", answer: true) } == "routeUnknown ")
        for scheme in ["app", "file", "javascript", "a b"] {
            try compose("\"systemSchemes\": [\"\(scheme)\"]")
            #expect(await refusal { try await open(Self.page, answer: true) } == "compositionInvalid ")
        }
        try compose("\"systemLinks\": \"opne\"")
        let error = await #expect(throws: AtriumError.self) { try await open(Self.page) }
        #expect(error?.problems.first?.sentence.contains("did you mean \"open\"?") == true)
        #expect(opened == ["sms:+4930123"])
    }

    @Test("A plugin that declares a route for web pages shows them itself")
    func webPagePlugin() async throws {
        try compose("\"systemLinks\": \"open\"")
        try fixture.offer("com.example.web", routes: AssetsFixture.page(at: "https://**"))
        try await open(Self.page)
        #expect(try fixture.manager.registry.active.identifiers().map(\.text) == ["com.example.web"])
        #expect(opened.isEmpty)
        // The plugin does not handle other schemes.
        try await open("http://example.com/")
        #expect(opened == ["http://example.com/"])
    }

    @Test("A fallback of bundle.json for the scheme comes first, and the general one after a refusal")
    func fallbacks() async throws {
        let route = #"{"pattern": "lost", "page": "one", "layout": "help/one", "exposure": "external"}"#
        try fixture.offer("com.example.lost", routes: route)
        try compose(#""systemLinks": "open", "schemes": {"https": {"fallback": "app://lost"}}"#)
        try await open(Self.page)
        #expect(opened.isEmpty)
        try compose(#""systemLinks": "never", "fallback": "app://lost""#)
        try await open(Self.page)
        #expect(opened.isEmpty)
        try compose(#""systemLinks": "open", "fallback": "app://lost""#)
        try await open(Self.page)
        #expect(opened == [Self.page])
    }

    @Test("Without xdg-open, the error names the package to install")
    func missing() async throws {
        try compose("\"systemLinks\": \"open\"")
        let error = await #expect(throws: AtriumError.self) { try await open(Self.page, path: "nothing") }
        #expect(error?.code == .systemLinkFailed)
        #expect(error?.report.message == "the system could not open \"\(Self.page)\": there is no program xdg-open")
        #expect(error?.report.remedy?.contains("apt install xdg-utils") == true)
        #expect(error?.exitStatus == .unavailable)
    }
}
