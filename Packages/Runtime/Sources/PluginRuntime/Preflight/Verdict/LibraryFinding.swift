/// One reason why a library cannot be loaded.
public struct LibraryFinding: Hashable, Sendable {
    /// What was broken.
    public enum Rule: String, Sendable, CaseIterable {
        /// There is none.
        case missing
        /// It is no file, or a larger one than anybody reads, or one that takes more to read than any library.
        case unreadable
        /// It cannot be read just now, which says nothing of it.
        case failing
        /// It is no ELF file.
        case format
        /// It ends before its end.
        case truncated
        /// It contradicts itself.
        case malformed
        /// It is for another machine, or for addresses of another width.
        case machine
        /// It is a program or an object file.
        case type
        /// It needs a library that the host does not offer.
        case neededLibrary
        /// It is to be shared, and those that need it would not find it by its name; or it is not, and they would.
        case soname
        /// It looks for libraries outside of its bundle.
        case searchPath
        /// It uses names that nobody defines.
        case undefinedSymbol
        /// It uses a later version of a name than there is.
        case undefinedVersion
        /// It has no entry.
        case entry
        /// It was built for another contract.
        case coreABI
        /// It was built by another compiler.
        case compiler
        /// It holds a copy of a library that the process may have only once.
        case secondCopy
        /// It holds another bundle's code.
        case otherBundle
    }

    /// Which rule.
    public let rule: Rule
    /// What of the library it is about: a symbol, a file, a machine.
    public let subject: String
    /// What was found, in a clause about the library: "it needs libfoo.so, which ...".
    public let what: String
    /// Who must do what, in a clause.
    public let remedy: String

    /// The whole finding in one sentence.
    public var sentence: String { "\(what); \(remedy)" }

    init(_ rule: Rule, _ subject: String, _ what: String, remedy: String) {
        self.rule = rule
        self.subject = subject
        self.what = what
        self.remedy = remedy
    }
}

extension LibraryFinding.Rule {
    /// A Boolean value that indicates whether the library is sound and this host is the wrong one for it.
    var isMatterOfHost: Bool {
        switch self {
        case .machine, .coreABI, .compiler, .undefinedVersion: true
        default: false
        }
    }
}
