/// The texts that are not looked up in the tables of translations.
enum PlainTexts {
    /// Files without texts for people.
    static let files = [
        // Mistakes in command declarations, which tests show to developers.
        "Console/Command/Command+Problems.swift",
        // The language of Graphviz.
        "AppHost/Graph/GraphDrawing.swift",
        // Identifiers of nodes and names of facts in a graph, which scripts read.
        "AppHost/Graph/AppGraphBuilder.swift",
        // Relations in graphs, which are written once and read by others.
        "AppHost/Graph/AppGraph.swift",
        // Why the texts of a language cannot be read.
        "Console/Localization/Localization.swift",
    ]

    static let texts: Set<String> = [
        // Names of dispatch queues and of system errors without a text.
        "standard input", "diverted output", "error %@",
        // Subjects of errors, which scripts read.
        "standard output", "the working folder", "the terminal",
        // The beginning of a certificate in PEM.
        "-----BEGIN CERTIFICATE-----",
        // A state in a document for scripts.
        "not installed",
        // A line of a file for readline.
        "$include %@",
        // An option as it is typed.
        "--system-links %@",
        // A finding of the decoder of traces.
        "this is no complete event",
        // Keys of the program's longer texts.
        "candidate %@", "installed %@", "limit %@", "remedy %@",
        // The program's version, and the typed line of a session.
        "%@ %@ (Core ABI %@)\n", "> open %@",
    ]

    /// Words that are looked up by a value, such as the name of a state, and not by a literal.
    static let words: Set<String> = [
        // States of the bundles of an app, and of the packages of a catalog.
        "same", "staged", "missing", "different", "unlocked", "yes", "no", "previous", "blocked",
        // Events of the history.
        "installed", "updated", "uninstalled", "pruned", "quarantined", "disabled", "unblocked",
        // Checks of a sandbox and their results.
        "fine", "notice", "wrong", "sandbox", "lock", "registry", "trust", "versions", "requirements", "quarantine",
        "leftovers", "catalog", "composition", "confinement",
        // A heading that is added to others.
        "RESULT",
        // Topics of the diagnosis of a bundle.
        "pinned", "offered", "refused", "needs", "code",
    ]
}
