/// The texts of the host in Simplified Chinese.
enum SimplifiedChinese {
    static let help = ""
    static let texts = ""
}
