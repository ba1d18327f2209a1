extension PlantedViolation {
    private static let session = "HostApp/Sources/AppHost/Session.swift"
    private static let tests = "Tests/EndToEnd/WholeTests.swift"
    private static let systemLayer = "Packages/System/Sources/HostSystem/Libraries/DynamicLibrary.swift"

    private static let english = "Packages/Tools/share/atrium/en.json"

    private static let statuses = "Packages/Tools/Sources/Console/Report/ExitStatus.swift"

    static let sources: [PlantedViolation] = [
        PlantedViolation(
            .oneSystemLayer, "another file opens a library", .append(session, "let handle = dlopen(\"x\", 1)\n"),
            says: "uses dlopen; allowed: only in \(systemLayer)"),
        PlantedViolation(
            .oneSystemLayer, "C code opens a library",
            .append(
                "Packages/Core/Sources/CPluginEntry/entry.c",
                "/* dlopen( */ void *h(void) { return dlsym(0, \"h\"); }\n"),
            at: "Packages/Core/Sources/CPluginEntry/entry.c:2", says: "uses dlsym"),
        PlantedViolation(
            .oneSystemLayer, "the system layer is not where the rule looks", .write(systemLayer, "import Glibc\n"),
            says: "opens no library"),
        PlantedViolation(
            .oneReader, "a file has a JSON reader of its own", .append(session, "let decoder = JSONDecoder()\n"),
            says: "uses JSONDecoder"),
        PlantedViolation(
            .unlockedResumption, "a task is resumed while a lock is held",
            .append(session, "let end = a(onCancel: { state.withLock { $0.waiting?.resume() } })\n"),
            says: "resumes a task while a lock is held"),
        PlantedViolation(
            .boundedReading, "a decoder reads as often as a message says",
            .append(session, "func a(_ b: inout WireReader) { for _ in 0..<b.read() { c(b) } }\n"),
            says: "reads in a loop"),
        PlantedViolation(
            .boundedReading, "a decoder reads values in values",
            .append(session, "func readA(_ b: inout WireReader) {\n    if b.readBool() { readA(&b) }\n}\n"),
            says: "reads a value in a value"),
        PlantedViolation(
            .boundedReading, "a decoder takes a number for a time",
            .append(session, "func a(_ b: inout WireReader) -> Duration { .seconds(b.readDouble()) }\n"),
            says: "makes a duration of a number"),
        PlantedViolation(
            .boundedReading, "a decoder reads bytes itself",
            .append(session, "func a(_ b: WireReader) -> Int { b.bytes.loadUnaligned(as: Int.self) }\n"),
            says: "makes a value by loadUnaligned"),
        PlantedViolation(
            .errorSentences, "a reason has no sentence", .append(session, "let reason = ErrorReason(\"lost\")\n"),
            says: "the reason lost has no sentence"),
        PlantedViolation(
            .errorSentences, "a value of a sentence is not given",
            .append(session, "let reason = ErrorReason(\"lost\", [\"file\": .text(\"place\")])\n"),
            add("en", "reasons", "lost", "{file} was lost at {place}"),
            add("zh-Hans", "reasons", "lost", "{file} 丢失于 {place}"), says: "gives no value {place}"),
        PlantedViolation(
            .errorSentences, "no source gives a reason",
            add("en", "reasons", "lost", "it was lost"), add("zh-Hans", "reasons", "lost", "已丢失"),
            at: "\(english):7", says: "no source gives the reason lost"),
        PlantedViolation(
            .errorSentences, "a code has no sentence",
            .append(session, "extension AtriumError.Code { static let lost = Self(\"lost\") }\n"),
            .append(statuses, "let more = [\"lost\"]\n"), says: "the code lost is missing in \(english)"),
        PlantedViolation(
            .errorSentences, "a code has no exit status",
            .append(session, "extension AtriumError.Code { static let lost = Self(\"lost\") }\n"),
            add("en", "errors", "lost", "{subject} was lost"), add("zh-Hans", "errors", "lost", "{subject}已丢失"),
            add("en", "remedies", "lost", "look for it"), add("zh-Hans", "remedies", "lost", "请寻找"),
            says: "the code lost is missing in \(statuses)"),
        PlantedViolation(
            .errorSentences, "a code has no remedy",
            .append(session, "extension AtriumError.Code { static let lost = Self(\"lost\") }\n"),
            .append(statuses, "let more = [\"lost\"]\n"), add("en", "errors", "lost", "{subject} was lost"),
            add("zh-Hans", "errors", "lost", "{subject}已丢失"),
            at: "\(english):3", says: "the code lost has no remedy"),
        PlantedViolation(
            .errorSentences, "no source declares a code", add("en", "errors", "lost", "{subject} was lost"),
            add("zh-Hans", "errors", "lost", "{subject}已丢失"),
            at: "\(english):3", says: "no source declares the code lost"),
        PlantedViolation(
            .errorSentences, "a remedy is for no code", add("en", "remedies", "lost", "look for it"),
            add("zh-Hans", "remedies", "lost", "请寻找"),
            at: "\(english):5", says: "a remedy for the code lost, which has no sentence"),
        PlantedViolation(
            .noCommandNames, "the runtime names a command of the host",
            .append(systemLayer, "let remedy = \"run \\\"hostapp gc\\\"\"\n"), says: "names a command"),
        PlantedViolation(
            .noTraps, "a product takes for granted", .append(session, "func a() -> Never { preconditionFailure() }\n"),
            says: "uses preconditionFailure"),
        PlantedViolation(
            .reasons, "a type is said to be Sendable, without a reason",
            .append(session, "\nfinal class Cell: @unchecked Sendable {}  // Checked elsewhere.\n"),
            says: "@unchecked Sendable without a reason"),
        PlantedViolation(
            .reasons, "a variable is said to be safe, with a comment that does not begin with the reason",
            .append(session, "// Plain memory, because it is.\nnonisolated(unsafe) var plain = 1\n"),
            at: "\(session):7", says: "nonisolated(unsafe) without a reason"),
        PlantedViolation(
            .sizeTags, "a suite has no size",
            .append(tests, "@Suite(\"Whole small\", .serialized) struct WholeTests {}\n"),
            says: "a suite without a size"),
        PlantedViolation(
            .sizeTags, "a suite has two sizes",
            .append(tests, "@Suite(\"Whole\", .tags(.small, .large)) struct WholeTests {}\n"),
            says: "a suite with 2 sizes"),
        PlantedViolation(
            .sizeTags, "a test is in no suite", .append(tests, "struct WholeTests { @Test func whole() {} }\n"),
            says: "a test outside of a suite"),
    ]
}
