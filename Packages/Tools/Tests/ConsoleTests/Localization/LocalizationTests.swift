import Console
import PluginCore
import Testing

@Suite("Texts in several languages", .tags(.small))
struct LocalizationTests {
    private let catalog = TextCatalog(
        language: "zh-Hans", punctuation: .chinese,
        texts: ["Installed %@.": "已安装 %@。", "Moved %@ to %@.": "到 %2$@ 的是 %1$@。", "100 % done": "已完成 100 %"])

    @Test("Without a translation, a text stays as it is written, with its values")
    func english() {
        let name = "shop"
        #expect(localized("Removed \(name); \(1) is left.\n") == "Removed shop; 1 is left.\n")
        #expect(localized("Removed " + "\(name).") == "Removed shop.")
        #expect(Localization.with(catalog) { localized("Removed \(name).\n") } == "Removed shop.\n")
    }

    @Test("A sentence is looked up by its pattern, and a translation can have its values in another order")
    func translated() {
        let (one, other) = ("a %@ b", "%1$@")
        Localization.with(catalog) {
            #expect(localized("Installed \(one).") == "已安装 a %@ b。")
            #expect(localized("Moved \(one) to \(other).") == "到 %1$@ 的是 a %@ b。")
            #expect(localized(key: "Installed %@.") == "已安装 %@。")
            #expect(localized("100 % done") == "已完成 100 %")
        }
    }

    @Test("White space around a text is not part of its key, and a single space is left out where sentences have none")
    func margins() {
        Localization.with(catalog) {
            #expect(localized("\n  Installed \(1).\n") == "\n  已安装 1。\n")
            #expect(localized(" Installed \(1).") == "已安装 1。")
            #expect(localized("") == "" && localized(" ") == " ")
        }
    }

    @Test("The language of a task is that of its children, and not of others")
    func tasks() async {
        await Localization.with(catalog) {
            async let child = localized("Installed \(1).")
            #expect(await child == "已安装 1。")
            #expect(await Task.detached { localized("Installed \(1).") }.value == "Installed 1.")
        }
        #expect(localized("Installed \(1).") == "Installed 1.")
    }

    @Test(
        "Simplified Chinese is told from other languages and from Traditional Chinese",
        arguments: [
            ("zh-Hans", true), ("zh-Hans-CN", true), ("zh-hans-SG", true), ("zh-Hant-TW", false), ("en", false),
            ("zh-Hansa", false), ("", false),
        ])
    func tags(tag: String, isChinese: Bool) { #expect(TextCatalog.isSimplifiedChinese(tag) == isChinese) }

    @Test("An error is reported in Chinese with its reason, its suggestions and its remedy, and its code stays")
    func report() {
        let error = AtriumError(
            .routeUnknown, "app://shp", reason: "catalogHasBundle", ["bundle": "shop", "versions": .list(["1", "2"])],
            nearest: ["app://shop", "app://ship"])
        Localization.with(.simplifiedChinese) {
            #expect(error.report.code == "routeUnknown")
            #expect(
                error.report.text()
                    == """
                    错误：没有插件处理“app://shp”：软件源有 shop 1、2；是否指“app://shop”或“app://ship”？
                      解决方法：请更正该地址，或者安装能处理它的插件；“hostapp catalog”会列出可用的插件

                    """)
        }
        #expect(error.report.text().hasPrefix("error: no plugin handles \"app://shp\": the catalog has shop 1, 2; did"))
    }
}
