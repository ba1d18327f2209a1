/// A file that is downloaded in pieces, over as many attempts as it takes.
///
/// ```swift
/// let request = DownloadRequest(
///     mirrors: ["https://example.org/shop-1.1.0.zip", "https://mirror.example.net/shop-1.1.0.zip"],
///     length: 1_234_567, sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")
/// ```
public struct DownloadRequest: Hashable, Sendable {
    /// The complete addresses of the file, of which the first one that works is used.
    public var mirrors: [String]
    /// The exact length in bytes.
    public var length: Int64
    /// The SHA-256 digest of the content in lowercase hexadecimal digits.
    public var sha256: String
    /// A file with certificate authorities in PEM in place of the system's, or nil.
    public var authorities: String?
    /// The limits in time, rate and number of attempts.
    public var limits: DownloadLimits

    /// Creates a request.
    public init(
        mirrors: [String], length: Int64, sha256: String, authorities: String? = nil,
        limits: DownloadLimits = DownloadLimits()
    ) {
        self.mirrors = mirrors
        self.length = length
        self.sha256 = sha256
        self.authorities = authorities
        self.limits = limits
    }
}

extension DownloadRequest {
    /// The reason why the request or the name of its file cannot be used, or nil.
    func problem(name: String) -> String? {
        // A name that begins with a dot could be that of a partial file.
        guard !name.isEmpty, !name.hasPrefix("."), name.utf8.count <= 200,
            !name.utf8.contains(where: { $0 == 0x2F || $0 == 0 })
        else { return "the name \(name.debugDescription) cannot be that of a file here" }
        guard !mirrors.isEmpty else { return "there is no mirror" }
        guard length >= 0 else { return "the length is negative" }
        let isDigest = sha256.utf8.count == 64 && sha256.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }
        return isDigest ? nil : "the digest is not one of SHA-256 in lowercase hexadecimal digits"
    }
}
