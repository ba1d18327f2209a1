extension PlantedViolation {
    private static let session = "HostApp/Sources/AppHost/Session.swift"
    private static let table = "HostApp/Sources/AppHost/SimplifiedChinese.swift"
    private static let consoleTable = "Packages/Tools/Sources/Console/SimplifiedChinese.swift"

    private static func table(_ lines: String) -> String { "let table = #\"\"\"\n\(lines)\n\"\"\"#\n" }

    static let texts: [PlantedViolation] = [
        PlantedViolation(
            .translations, "a sentence is not in the table",
            .append(session, "let a = localized(\"Installed \\(b ?? \"(no)\").\\n\")\n"),
            at: "\(session):6", says: "add to a table: \"Installed %@.\" = \"\";"),
        PlantedViolation(
            .translations, "a sentence on two lines is in the table only in part",
            .append(session, "let a = localized(\n    \"Installed, \"\n        + \"again\")\n"),
            .write(table, table("\"Installed,\" = \"已安装，\";")),
            at: "\(session):7", says: "\"Installed, again\" = \"\";"),
        PlantedViolation(
            .translations, "a summary is not in the table",
            .append(session, "let a = Command(\"a\", summary: \"Open a page.\")\n"),
            at: "\(session):6", says: "\"Open a page.\" = \"\";"),
        PlantedViolation(
            .translations, "a column title is not in the table",
            .append(session, "let a = Table.Column(\"NAME\")\n"),
            at: "\(session):6", says: "\"NAME\" = \"\";"),
        PlantedViolation(
            .translations, "a text of the console is only in the table of the host",
            .write("Packages/Tools/Sources/Console/Table.swift", "let a = localized(\"No text.\")\n"),
            .write(table, table("\"No text.\" = \"没有文本。\";")),
            at: "Packages/Tools/Sources/Console/Table.swift:1", says: "\"No text.\" = \"\";"),
        PlantedViolation(
            .translations, "a translation has no text any more",
            .write(consoleTable, table("\"Gone.\" = \"没有了。\";")),
            at: "\(consoleTable):2", says: "a text that no source has"),
        PlantedViolation(
            .translations, "a translation lacks a value",
            .append(session, "let a = localized(\"Moved \\(b) to \\(c).\")\n"),
            .write(table, table("\"Moved %@ to %@.\" = \"已移到 %2$@。\";")),
            at: "\(table):2", says: "other values"),
        PlantedViolation(
            .translations, "a text is translated twice",
            .append(session, "let a = localized(\"Gone.\")\n"),
            .write(table, table("\"Gone.\" = \"没有了。\";\n\"Gone.\" = \"不见了。\";")),
            at: "\(table):3", says: "a second translation"),
        PlantedViolation(
            .localizedSentences, "a result is written without the tables",
            .append(session, "let a = Answer(text: \"Nothing is installed.\\n\")\n"),
            at: "\(session):6", says: "is shown in English only"),
        PlantedViolation(
            .localizedSentences, "a word beside a value is written without the tables",
            .append(session, "let a = \"Dropped \\(b).\"\n"),
            at: "\(session):6", says: "\"Dropped %@.\" is shown in English only"),
        PlantedViolation(
            .localizedSentences, "a text inside of another text is written without the tables",
            .append(session, "let a = \"\\(b ?? \"not there\")\"\n"),
            at: "\(session):6", says: "\"not there\" is shown in English only"),
    ]
}
