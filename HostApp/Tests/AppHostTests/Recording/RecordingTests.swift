import HostSystem
import Console
import FoundationEssentials
import PluginCore
import Testing

@testable import AppHost

@MainActor
@Suite("Recorded sessions", .tags(.medium))
struct RecordingTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func outcome(_ title: String) -> StepOutcome {
        let stack = PageStack()
        stack.push(StubPage(title))
        return StepOutcome(stack, result: nil, notices: ["Hello."], failure: nil)
    }

    @Test("Each step is on disk at once and is read back with its outcome")
    func roundTrip() throws {
        let path = folder.path.appending("a.jsonl")
        let recording = try Recording(path)
        #expect(try RecordedSession.read(path).steps.isEmpty)
        for (count, title) in ["One", "Two"].enumerated() {
            try recording.add("open app://\(title)", outcome(title))
            let steps = try RecordedSession.read(path).steps
            #expect(steps.count == count + 1)
            #expect(steps.last?.line == "open app://\(title)")
            #expect(steps.last?.outcome.difference(from: try JSONValue(outcome(title).json)) == nil)
        }
        let other = try JSONValue(outcome("Three").json)
        #expect(try RecordedSession.read(path).steps[1].outcome.difference(from: other)?.path == "page.title")
    }

    @Test("A recording does not overwrite an existing file")
    func noOverwriting() throws {
        let path = try folder.write("precious", to: "a.jsonl")
        let error = #expect(throws: AtriumError.self) { try Recording(path) }
        #expect(error?.code == .inputOutput)
        #expect(try String(contentsOf: URL(filePath: path.string), encoding: .utf8) == "precious")
    }

    @Test("After a crash, at most the step that was being written is lost")
    func cut() throws {
        let step = #"{"step":"back","outcome":{}}"#
        let path = try folder.write("{\"formatVersion\":1}\n\(step)\n{\"step\":\"op", to: "a.jsonl")
        #expect(try RecordedSession.read(path).steps.map(\.line) == ["back"])
    }

    @Test(
        "A file that is not a recording is rejected",
        arguments: [
            "", "{}\n", "[]\n", "{\"formatVersion\":2}\n", "{\"formatVersion\":1}\n{\"step\":1}\n",
            "{\"formatVersion\":1}\n{\"step\":\"a\"}\n", "{\"formatVersion\":1}\nnonsense\n",
        ])
    func foreign(text: String) throws {
        let path = try folder.write(text, to: "a.jsonl")
        let error = #expect(throws: AtriumError.self) { try RecordedSession.read(path) }
        #expect(error?.code == .documentInvalid)
    }
}

@Suite("The first difference of two outcomes", .tags(.small))
struct JSONDifferenceTests {
    @Test(
        "A difference is found at every position",
        arguments: [
            (#"{"a":1,"b":2}"#, #"{"a":1,"b":3}"#, "b", "2", "3"),
            (#"{"a":1}"#, #"{"a":1,"b":null}"#, "b", nil, "null"),
            (#"{"a":[1,{"c":"x"}]}"#, #"{"a":[1,{"c":"y"}]}"#, "a[1].c", #""x""#, #""y""#),
            (#"[1,2]"#, #"[1]"#, "[1]", "2", nil), (#"1"#, #""1""#, "", "1", #""1""#),
            (#""\u00e9""#, #""e\u0301""#, "", "\"\u{e9}\"", "\"e\u{301}\""), ("true", "1", "", "true", "1"),
        ] as [(String, String, String, String?, String?)])
    func differences(one: String, other: String, path: String, recorded: String?, now: String?) throws {
        let difference = try #require(try parse(one).difference(from: try parse(other)))
        #expect(difference.path == path)
        #expect(difference.recorded.map { Array($0.utf8) } == recorded.map { Array($0.utf8) })
        #expect(difference.now.map { Array($0.utf8) } == now.map { Array($0.utf8) })
    }

    @Test("Values that differ only in the order of members are equal")
    func same() throws {
        #expect(try parse(#"{"a":1,"b":[null,true]}"#).difference(from: parse(#"{"b":[null,true],"a":1.0}"#)) == nil)
    }

    private func parse(_ text: String) throws -> JSONValue {
        try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    }
}
