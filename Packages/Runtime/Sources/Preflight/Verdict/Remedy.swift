import PluginCore

/// Texts that say who must do what about a finding.
enum Remedy {
    static let build = "the plugin's author must build the library and pack it with \"bundletool pack\""
    static let reload =
        "get the package again; if that does not help, the plugin's author must pack the library again"
    static let rebuildPlugin =
        "the plugin's author must rebuild it with Core \(CoreVersion.release) and this host's compiler"
    static let rebuildHost = "the host's author must rebuild the host with the newer Core"
    static let exportEntry = "the plugin's author must export it: @c(\(PluginEntry.symbol)) in front of a function"
    static let oneCopy = "the plugin's author must link the dynamic library instead of its objects"

    static let noSoname = "the plugin's author must link it without a soname"

    static func soname(_ name: String) -> String {
        "the plugin's author must link it with -Xlinker -soname -Xlinker \(name)"
    }

    static func build(for machine: ELFMachine) -> String {
        "the plugin's author must build it for \(machine)"
    }
}
