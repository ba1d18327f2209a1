import HostSystem
import LibCrypto
import Zip

/// A file with the difference between an old version and a new package.
///
/// ```swift
/// try Delta.make(from: .package("shop-1.0.0.zip"), to: "shop-1.1.0.zip", at: "shop-1.0.0-1.1.0.delta")
/// ```
///
/// Both functions compute for a while, and block their thread.
public enum Delta {
    /// Makes a delta, and applies it once to be sure that it works here.
    ///
    /// - Parameters:
    ///   - base: The files of the old version.
    ///   - package: The path of the new package.
    ///   - path: The path of the delta, which replaces an existing file.
    ///   - limits: The limits of the clients.
    /// - Returns: The length of the delta. A delta that is not much shorter than the package is of little use.
    @discardableResult
    public static func make(
        from base: DeltaBase, to package: String, at path: String, limits: DeltaLimits = DeltaLimits()
    ) throws(DeltaError) -> Int {
        let content = try base.content(limits: limits)
        let target = try read(package, atMost: limits.contentLength)
        let plan = Plan(of: target, archive: try? ZipArchive(path: package), limits: limits)
        guard plan.content.count <= limits.contentLength, plan.segments.count <= limits.segments,
            max(plan.content.count, content.count) <= DeltaLimits.largest
        else {
            throw DeltaError(.tooLarge, package)
        }
        guard let steps = plan.bytes(base: content), let frame = Frame.compress(steps) else {
            throw DeltaError(.unavailable, path, detail: "libzstd failed")
        }
        let delta = try Header.bytes(base: content) + frame
        // Applied once, to be sure that it works here.
        let application = Application(
            path: path, base: content, length: Int64(target.count), sha256: try digest(of: target).hexadecimal,
            limits: limits)
        try application.run(delta) { _ in }
        let place = NewFile<DeltaError>.location(of: path)
        try Descriptor<DeltaError>(folder: place.folder, isCreated: true).replace(place.name, with: delta)
        return delta.count
    }

    /// Applies a delta.
    ///
    /// The package appears under its name if its length and digest are right.
    ///
    /// - Parameters:
    ///   - delta: The path of the delta.
    ///   - base: The files of the old version.
    ///   - length: The length of the new package in bytes.
    ///   - sha256: The SHA-256 digest of the new package in lowercase hexadecimal digits.
    ///   - path: The path of the new package, which replaces an existing file.
    ///   - limits: The limits.
    public static func apply(
        _ delta: String, to base: DeltaBase, length: Int64, sha256: String, at path: String,
        limits: DeltaLimits = DeltaLimits()
    ) throws(DeltaError) {
        let content = try base.content(limits: limits)
        let source = try read(delta, atMost: limits.contentLength)
        let target = NewFile<DeltaError>.location(of: path)
        let file = try NewFile<DeltaError>(in: Descriptor(folder: target.folder, isCreated: true))
        let application = Application(path: delta, base: content, length: length, sha256: sha256, limits: limits)
        try application.run(source, write: file.append)
        try file.commit(as: target.name)
    }
}

/// The limits that protect a client from a delta under an attacker's control.
public struct DeltaLimits: Hashable, Sendable {
    /// The length of the base in bytes.
    public var baseLength = 1 << 29
    /// The length of the inflated package in bytes.
    public var contentLength = 1 << 29
    /// The number of segments of a package: members, and the bytes between them.
    public var segments = 200_000

    /// Creates limits for packages of at most 512 MiB.
    public init() {}

    /// The logarithm of the window of Zstandard: 64 MiB.
    static let windowLog: Int32 = 26
    /// The length of a base or of contents that the format can describe.
    static let largest = Int(UInt32.max)
}

/// The reason why a delta was not made or not applied.
public struct DeltaError: Error, Hashable, CustomStringConvertible {
    /// The kind of error, for a switch.
    public let code: Code
    /// The path of the delta or of the file.
    public let path: String
    /// A short detail for logs.
    public let detail: String

    init(_ code: Code, _ path: String = "", detail: String = "") {
        self.code = code
        self.path = path
        self.detail = detail
    }

    /// A line for logs with code, path and detail.
    public var description: String {
        "\(code.rawValue): \(path.debugDescription)" + (detail.isEmpty ? "" : ": \(detail)")
    }
}

extension DeltaError {
    /// The kind of an error. Later versions may add more kinds.
    public enum Code: String, Sendable {
        /// The file is not a delta, or is damaged.
        case malformed
        /// The delta was made for another base.
        case baseMismatch = "base-mismatch"
        /// The base is not an archive that can be read.
        case baseInvalid = "base-invalid"
        /// The base or the package is larger than the limit.
        case tooLarge = "too-large"
        /// The result is not the expected package.
        case hashMismatch = "hash-mismatch"
        /// The disk is full.
        case diskFull = "disk-full"
        /// A file could not be read or written.
        case fileFailed = "file-failed"
        /// There is no memory, or a library failed.
        case unavailable
    }
}

extension DeltaError: SystemFailure {
    package init(errno: Int32, path: String) {
        let code: Code =
            FileSystem.isStorageFull(errno) ? .diskFull : FileSystem.isTooLarge(errno) ? .tooLarge : .fileFailed
        self.init(code, path, detail: Self.text(errno: errno, path: path))
    }
}
