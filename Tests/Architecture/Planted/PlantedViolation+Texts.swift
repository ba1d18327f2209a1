extension PlantedViolation {
    private static let session = "HostApp/Sources/AppHost/Session.swift"
    private static let chinese = "Packages/Tools/share/atrium/zh-Hans.json"

    /// Adds an entry to a section of a language, as the first one.
    static func add(_ language: String, _ section: String, _ key: String, _ text: String) -> Edit {
        let head = "  \"\(section)\": {\n"
        return .replace(
            "Packages/Tools/share/atrium/\(language).json", head, with: "\(head)    \"\(key)\": \"\(text)\",\n")
    }

    static let texts: [PlantedViolation] = [
        PlantedViolation(
            .translations, "a sentence is not in the table",
            .append(session, "let a = localized(\"Installed \\(b ?? \"(no)\").\\n\")\n"),
            says: "add to Packages/Tools/share/atrium/zh-Hans.json: \"Installed %@.\": \"\","),
        PlantedViolation(
            .translations, "a summary is not in the table",
            .append(session, "let a = Command(\"a\", summary: \"Open a page.\")\n"), says: "\"Open a page.\": \"\","),
        PlantedViolation(
            .translations, "a sentence of an error has no translation",
            .append(session, "let reason = ErrorReason(\"lost\")\n"), add("en", "reasons", "lost", "it was lost"),
            at: "Packages/Tools/share/atrium/en.json:7",
            says: "add to reasons in Packages/Tools/share/atrium/zh-Hans.json: \"lost\": \"\","),
        PlantedViolation(
            .translations, "a translation has no text any more", add("zh-Hans", "texts", "Gone.", "没有了。"),
            at: "\(chinese):9", says: "a text that no source has"),
        PlantedViolation(
            .translations, "a translation lacks a value",
            .append(session, "let a = localized(\"Moved \\(b) to \\(c).\")\n"),
            add("zh-Hans", "texts", "Moved %@ to %@.", "已移到 %2$@。"), at: "\(chinese):9", says: "other values"),
        PlantedViolation(
            .translations, "a text is translated twice", .append(session, "let a = localized(\"Gone.\")\n"),
            add("zh-Hans", "texts", "Gone.", "没有了。"), add("zh-Hans", "texts", "Gone.", "不见了。"),
            at: "\(chinese):10", says: "a second translation"),
        PlantedViolation(
            .localizedSentences, "a result is written without the tables",
            .append(session, "let a = Answer(text: \"Nothing is installed.\\n\")\n"), says: "is shown in English only"),
        PlantedViolation(
            .localizedSentences, "a word beside a value is written without the tables",
            .append(session, "let a = \"Dropped \\(b).\"\n"), says: "\"Dropped %@.\" is shown in English only"),
    ]
}
