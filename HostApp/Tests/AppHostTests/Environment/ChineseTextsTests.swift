import AppScreens
import Console
import PluginCore
import Testing

@testable import AppHost

@Suite("The host's texts in Chinese", .tags(.small))
struct ChineseTextsTests {
    private func environment(_ variables: [String: String]) -> HostEnvironment {
        HostEnvironment(variables: variables, executable: "/opt/atrium/bin/hostapp", workingFolder: "/home/ada")
    }

    @Test(
        "The language of texts is that of --language, else of the environment, and English for scripts",
        arguments: [
            ([], ["LANG": "zh_CN.UTF-8"], "zh-Hans"), ([], ["LANG": "zh_SG"], "zh-Hans"), ([], ["LANG": "zh_TW"], "en"),
            ([], ["LANG": "de_DE"], "en"), ([], [:], "en"), ([], ["LC_ALL": "C", "LANG": "zh_CN"], "en"),
            (["list", "--language", "zh-Hans"], [:], "zh-Hans"), (["--language=zh_CN", "list"], [:], "zh-Hans"),
            (["list", "--language", "en"], ["LANG": "zh_CN"], "en"), (["list", "--json"], ["LANG": "zh_CN"], "en"),
            (["--json", "--language", "zh"], [:], "en"), (["call", "--", "--json"], ["LANG": "zh_CN"], "zh-Hans"),
            (["--language"], ["LANG": "zh_CN"], "zh-Hans"),
            ([], ["LANGUAGE": "zh_CN:en", "LANG": "en_US.UTF-8"], "zh-Hans"),
            ([], ["LANGUAGE": "zh_CN", "LANG": "C.UTF-8"], "en"), ([], ["LANGUAGE": "de:zh_CN", "LANG": "de"], "en"),
        ] as [([String], [String: String], String)])
    func language(arguments: [String], variables: [String: String], language: String) {
        #expect(environment(variables).catalog(forTextsOf: arguments).language == language)
    }

    @Test("Every text of every command's declaration has a translation")
    func declarations() {
        let english = Self.texts(below: HostCommands.root.described)
        let chinese = Localization.with(.simplifiedChinese) {
            Self.texts(below: HostCommands.root.described).map { localized(key: $0) }
        }
        #expect(english.count == chinese.count && english.count > 300)
        for (text, translation) in zip(english, chinese) where !text.isEmpty { #expect(text != translation) }
    }

    @Test("Screens, their keys and the store are in Chinese, and the columns of the keys are straight")
    func screens() {
        Localization.with(.simplifiedChinese) {
            var screens = AppScreens(name: "Sample")
            screens.isStoreShown = true
            let store = screens.draw(columns: 80, rows: 24).lines.joined(separator: "\n")
            for text in ["商店", "搜索：", "正在读取软件源…", "Enter 安装或打开"] { #expect(store.contains(text), "\(text)") }
            _ = screens.handle(.key(.help))
            let keys = screens.draw(columns: 80, rows: 40).lines
            #expect(keys.contains { $0.contains("按键") })
            let columns = [("方向键", "选择插件"), ("Ctrl-U", "更新所有插件"), ("鼠标", "选择、按下、滚动")].map { key, meaning in
                keys.first { $0.contains(key) && $0.contains(meaning) }.flatMap { line in
                    line.firstRange(of: meaning).map { displayWidth(of: line[..<$0.lowerBound]) }
                }
            }
            #expect(columns[0] != nil && Set(columns).count == 1, "\(columns)")
        }
    }

    @Test("A host of another name names itself in remedies, also in Chinese quotation marks")
    func naming() {
        let host = HostConfiguration(name: "shopapp")
        #expect(host.naming("请运行“hostapp list”") == "请运行“shopapp list”")
        #expect(host.naming("run \"hostapp list\"") == "run \"shopapp list\"")
    }

    private static func texts(below command: Command) -> [String] {
        [command.summary, command.discussion] + command.arguments.map(\.help)
            + (command.options + command.globalOptions).map(\.help) + command.examples.map(\.caption)
            + command.subcommands.flatMap(texts)
    }
}
