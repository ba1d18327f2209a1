import Testing

@testable import Console

@Suite("Manual pages", .tags(.small))
struct ManualPagesTests {
    @Test("There is a page for the program and for each of its commands")
    func names() {
        let pages = ManualPages(sample)
        #expect(pages.names.prefix(3) == ["hostapp", "hostapp-install", "hostapp-list"])
        #expect(pages.text(named: "hostapp-nothing", date: "") == nil)
    }

    @Test("A page contains the arguments, options and examples of its command, and text means only itself")
    func page() throws {
        let page = try #require(ManualPages(sample).text(named: "hostapp-install", date: "2026-11-25"))
        #expect(
            page.hasPrefix(".TH \"HOSTAPP\\-INSTALL\" 1 \"2026-11-25\" \"hostapp 1.2.0\" \"User Commands\"\n.SH NAME\n")
        )
        for text in [
            "hostapp\\-install \\- install a plugin from the catalog\n",
            ".TP\n\\fB<identifier>\\fR\nThe plugin, such as com.example.shop.\n",
            ".TP\n\\fB\\-t, \\-\\-tap <url>\\fR\nA catalog to ask as well.\nMay be repeated.\n",
            ".SH OPTIONS OF ALL COMMANDS\n", "\\fB\\-s, \\-\\-sandbox <path>\\fR\n",
            ".EX\nknown \\-> staged \\-> verified \\-> installed\n.EE\n",
            "Install the newest version.\n.RS 4\n.EX\nhostapp install com.example.shop\n.EE\n",
            ".SH SEE ALSO\n.BR hostapp (1)\n",
        ] {
            #expect(page.contains(text), "\(text)\n\(page)")
        }
        #expect(ManualText.escaped(".x \\ '~") == "\\&.x \\e \\(aq\\(ti")
        #expect(ManualText.escaped("a\u{1B}b").unicodeScalars.allSatisfy { $0.value >= 32 })
    }

    @Test("Each line of the source fits, and each sentence has a line of its own")
    func lines() throws {
        var text = ManualText()
        text.paragraphs(
            "One. \(String(repeating: "word ", count: 40))end! Two (2.) Three\n\n  "
                + String(repeating: "x y ", count: 60))
        #expect(text.source.split(separator: "\n").allSatisfy { $0.utf8.count <= 80 }, "\(text.source)")
        #expect(text.source.contains("\nOne.\n") && text.source.contains("\nTwo (2.)\nThree\n"), "\(text.source)")
    }
}
