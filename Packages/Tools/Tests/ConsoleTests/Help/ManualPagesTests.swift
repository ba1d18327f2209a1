import Testing

@testable import Console

@Suite("Manual pages", .tags(.small))
struct ManualPagesTests {
    @Test("There is a page for the program and for each of its commands")
    func names() {
        let pages = ManualPages(root: sample)
        #expect(pages.names.prefix(3) == ["hostapp", "hostapp-install", "hostapp-list"])
        #expect(pages.text(named: "hostapp-nothing", date: "") == nil)
    }

    @Test("A page contains the arguments, options and examples of its command, and text means only itself")
    func page() throws {
        let page = try #require(ManualPages(root: sample).text(named: "hostapp-install", date: "2026-11-25"))
        let head = ".TH \"HOSTAPP\\-INSTALL\" 1 \"2026-11-25\" \"hostapp 1.2.0\" \"User Commands\"\n.SH NAME\n"
        #expect(page.hasPrefix(head))
        for text in [
            "hostapp\\-install \\- install a plugin from the catalog\n",
            ".SH DESCRIPTION\n.EX\nUsage: hostapp install ", "\n  \\-t, \\-\\-tap <url>", "May be repeated.",
            "\nGlobal options:\n", "\\-s, \\-\\-sandbox <path>", "known \\-> staged \\-> verified \\-> installed\n",
            "    hostapp install com.example.shop\n", ".EE\n.SH SEE ALSO\n.BR hostapp (1)\n",
        ] {
            #expect(page.contains(text), "\(text)\n\(page)")
        }
        #expect(ManualPages.escaped(".x \\ '~") == "\\&.x \\e \\(aq\\(ti")
        #expect(ManualPages.escaped("a\u{1B}b").unicodeScalars.allSatisfy { $0.value >= 32 })
    }

    @Test("Each line of the source fits")
    func lines() throws {
        let command = Command("x", summary: "Do it.", discussion: String(repeating: "--- ", count: 60))
        let page = try #require(ManualPages(root: command).text(named: "x", date: ""))
        #expect(page.split(separator: "\n").allSatisfy { $0.utf8.count <= 80 }, "\(page)")
        #expect(page.replacing("\\\n", with: "").contains(String(repeating: "\\-\\-\\- ", count: 10)), "\(page)")
    }
}
