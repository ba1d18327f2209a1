/// The texts of the host in Simplified Chinese, in the form of `Localizable.strings`; the glossary is in `Console`.
enum SimplifiedChinese {}
