import PluginTestKit
import Testing

extension MainJob {
    @Suite("The user's language", .tags(.large))
    struct LanguageTests {
        @Test("The language applies to pages from code, pages from layouts, notices and other plugins")
        func everywhere() async throws {
            let fixture = try await Scene(installed: account, orders, shop)
            let chinese = ["LC_ALL": "zh_CN.UTF-8"]
            let item = try await fixture.run("open", "app://shop/item/42", "--tap", "buy", environment: chinese)
            #expect(item.lines.prefix(4) == ["台灯", "====", "名称: 台灯", "价格: 19.99 欧元"])
            #expect(item.lines.contains("已购买台灯：订单 1") && item.lines.contains("  [1] 购买 (buy)"))
            let about = try await fixture.run("open", "app://shop/about", environment: chinese)
            #expect(about.lines.first == "关于商店" && about.lines.contains(" - 账户：谁在购买"))
            let list = try await fixture.run("open", "app://orders", "--tap", "signIn name=李", "--language", "zh-Hans")
            #expect(list.lines.contains("欢迎，李。") && list.lines.contains("  [1] 1 · 台灯  19.99 欧元，已下单 (app://orders/1)"))
        }
    }
}
