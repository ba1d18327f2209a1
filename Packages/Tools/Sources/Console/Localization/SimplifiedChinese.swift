/// The texts of the module in Simplified Chinese.
enum SimplifiedChinese {
    static let console = ""
    static let errors = ""
    static let reasons = ""
}
