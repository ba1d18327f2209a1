import Dispatch
import HostSystem
public import PluginCore
import PluginRouter
import Processes

/// An address as the text that is passed to the system.
///
/// The text is ASCII: everything else is percent-encoded, so that no character can look like another one or change the direction of the text.
///
/// ```swift
/// let link = try SystemLink(ResourceURI("https://bank.example@evil.example/"))
/// link?.server    // "evil.example"
/// ```
struct SystemLink: Equatable {
    /// The text, without spaces, quotation marks and control characters.
    let text: String
    /// The scheme in lowercase.
    let scheme: String
    /// The server with its port, without the user in front of it; `nil` if the scheme has no servers.
    let server: String?

    /// Creates a link from an address; `nil` if the address has no scheme.
    init?(_ uri: ResourceURI) {
        guard let scheme = uri.linkScheme else { return nil }
        self.scheme = scheme
        text = Self.encoded(uri.text)
        let rest = text.dropFirst(scheme.utf8.count + 1)
        guard rest.hasPrefix("//") else {
            server = nil
            return
        }
        // Browsers take a backslash for a slash, but it is encoded here.
        let authority = rest.dropFirst(2).prefix { !"/?#".contains($0) }
        server = String(authority.split(separator: "@", omittingEmptySubsequences: false).last ?? authority)
    }

    /// A Boolean value that indicates whether the server's name has letters outside of ASCII, which can look like others.
    var hasInternationalServer: Bool {
        guard let server else { return false }
        return server.contains("%") || server.lowercased().split(separator: ".").contains { $0.hasPrefix("xn--") }
    }

    /// Percent-encodes all bytes that may not be in a URI by RFC 3986.
    private static func encoded(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            ":/?#[]@!$&'()*+,;=%".unicodeScalars.contains(scalar)
                ? String(scalar) : PercentCoding.encode(String(scalar))
        }.joined()
    }
}

/// The program that opens links with the user's programs.
///
/// ```swift
/// try await SystemOpener(searchPath: "/usr/bin:/bin").open(link)
/// ```
struct SystemOpener {
    /// The name of the program, which Debian's xdg-utils contains.
    static let program = "xdg-open"
    /// The variable by which a host knows that it was started for a link that a host has passed on.
    static let marker = "ATRIUM_LINK"
    /// The time in which a failure of the program is noticed, in milliseconds. Some systems let it run as long as the browser.
    private static let patience: Int32 = 2_000

    /// The folders in which the program is looked for, with colons between them.
    let searchPath: String
    /// The variables that differ from those of this process.
    var variables: [String: String] = [:]

    /// Passes a link to the program, which runs by itself from then on.
    ///
    /// - Throws: ``AtriumError`` with code `systemLinkFailed` if there is no such program, or it fails at once.
    func open(_ link: SystemLink) async throws(AtriumError) {
        func failed(_ reason: String, _ values: [String: ErrorReason.Value] = [:]) -> AtriumError {
            let values = values.merging(["program": .text(Self.program)]) { $1 }
            return AtriumError(.systemLinkFailed, link.text, reason: reason, values)
        }
        guard let program = SystemProgram.find(Self.program, on: searchPath) else { throw failed("openerMissing") }
        let environment = SystemProgram.environment(with: variables.merging([Self.marker: "1"]) { $1 })
        let end: Result<SpawnedProcess.End?, AtriumError> = await withCheckedContinuation { continuation in
            // The queue's thread also reaps the program, whenever it ends.
            DispatchQueue(label: program.string).async {
                do throws(AtriumError) {
                    // It runs in a session of its own, without a terminal, and lives on when this process ends.
                    let process = try SpawnedProcess(
                        program, arguments: [link.text], environment: environment, isDetached: true)
                    let hasEnded = process.wait(milliseconds: Self.patience)
                    continuation.resume(returning: .success(hasEnded ? process.reap() : nil))
                    _ = process.reap()
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }
        switch end {
        case .success(nil), .success(.exited(status: 0)?): return
        case .success(.exited(let status)?): throw failed("openerFailed", ["status": .integer(Int(status))])
        case .success(.signaled(let signal)?):
            throw failed("openerKilled", ["signal": .text(SignalName.name(of: signal))])
        case .failure(let error): throw AtriumError(.systemLinkFailed, link.text, reason: error.reason)
        }
    }
}

// The codes of links that leave the app.
extension AtriumError.Code {
    /// A link that a rule or the user kept from being passed on to the system.
    public static let systemLinkDenied = Self("systemLinkDenied")
    /// A link that the system could not open.
    public static let systemLinkFailed = Self("systemLinkFailed")
}
