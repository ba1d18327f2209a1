import HTTPTransfer
import HostSystem
import LibCrypto

/// The part of a file that has arrived, with its digest. It stays on the disk when the process ends.
// because: one download has it, which waits while the client passes on a response.
final class PartialContent: @unchecked Sendable {
    /// The open file, which is locked.
    private let file: Folder
    private let folder: Folder
    private let name: String
    private let request: DownloadRequest
    private let meter: ProgressMeter
    private let hash = ContentHash()
    private(set) var length: Int64 = 0
    /// The number of responses from which the content came.
    private var responses = 0
    private var validator: Validator?
    /// The reason why the last response is not used any further.
    private var problem: DownloadError?

    /// Takes up the content of an earlier process.
    init(
        _ file: Folder, of request: DownloadRequest, name: String, in folder: Folder, meter: ProgressMeter
    ) async throws(DownloadError) {
        self.file = file
        self.folder = folder
        self.name = name
        self.request = request
        self.meter = meter
        guard case .file(let saved, _) = try file.item else { return }
        let validator = try folder.read(Self.validatorName(name), atMost: Validator.limit).flatMap { Validator($0) }
        guard saved > 0, saved <= request.length, let validator, validator.sha256 == request.sha256 else {
            if saved > 0 { try file.truncate(to: 0) }
            return
        }
        (self.validator, responses) = (validator, 1)
        try file.rewind()
        while let piece = try file.next() {
            piece.withUnsafeBytes { add($0) }
            await Task.yield()
        }
        meter.update(length)
    }

    static func partialName(_ name: String) -> String { ".\(name).partial" }
    static func validatorName(_ name: String) -> String { ".\(name).validator" }

    /// Returns the name of the complete file for that of a partial one, or nil for another name.
    static func name(ofPartial partial: String) -> String? {
        partial.hasPrefix(".") && partial.hasSuffix(".partial") ? String(partial.dropFirst().dropLast(8)) : nil
    }

    var isWhole: Bool { length == request.length }
    /// A Boolean value that indicates whether the content came in several parts, perhaps of different files.
    var isResumed: Bool { responses > 1 }

    /// Returns the entity tag that the file at an address must still have for the rest to fit.
    func entityTag(at address: String) -> String? {
        validator?.address == address ? validator?.entityTag : nil
    }

    /// Returns the problem of the last response, once.
    func takeProblem() -> DownloadError? { problem.take() }

    /// Begins with the content of a response to a request from an offset. Returns whether to continue.
    func begin(_ response: HTTPResponse, from address: String, offset: Int64) -> Bool {
        keep { () throws(DownloadError) in
            try check(response, from: address, offset: offset)
            let new = Validator(sha256: request.sha256, address: address, entityTag: response.entityTag)
            if response.status == 200 { try clear() }
            responses += 1
            // Before the first byte, so that each byte on the disk has a validator.
            if validator != new { try folder.replace(Self.validatorName(name), with: new.bytes) }
            validator = new
        }
    }

    /// Throws an error unless a response has what was requested.
    private func check(_ response: HTTPResponse, from address: String, offset: Int64) throws(DownloadError) {
        func unfit(_ code: DownloadError.Code, _ detail: String) -> DownloadError {
            DownloadError(code, address, detail: detail)
        }
        let isPart = response.status == 206
        if isPart {
            guard offset > 0, let range = response.contentRange, range.first == offset else {
                let range = response.fields["content-range"] ?? ""
                throw unfit(.rangeInvalid, "the part \(range) in place of the one from \(offset)")
            }
            if let length = range.length, length != request.length {
                throw unfit(.lengthMismatch, "\(length) bytes are announced")
            }
            if let entityTag = entityTag(at: address), let other = response.entityTag, other != entityTag {
                throw unfit(.rangeInvalid, "a part of \(other) in place of \(entityTag)")
            }
        } else if response.status != 200 {
            throw unfit(.rangeInvalid, "status \(response.status)")
        } else if offset > 0, let range = response.fields["content-range"] {
            // The status says that it is the whole file, and the field that it is a part.
            throw unfit(.rangeInvalid, "the part \(range) with the status 200")
        }
        // A server may send less of a part than was requested.
        let rest = request.length - (isPart ? offset : 0)
        if let announced = response.contentLength, isPart ? announced > rest : announced != rest {
            throw unfit(.lengthMismatch, "\(announced) bytes are announced in place of \(rest)")
        }
    }

    /// Appends a piece. Returns whether to continue.
    func append(_ piece: UnsafeRawBufferPointer) -> Bool {
        keep { () throws(DownloadError) in
            guard Int64(piece.count) <= request.length - length else {
                throw DownloadError(.lengthMismatch, "", detail: "there are more than \(request.length) bytes")
            }
            try file.write(piece)
            add(piece)
            meter.update(length)
        }
    }

    private func add(_ piece: UnsafeRawBufferPointer) {
        hash.update(piece)
        length += Int64(piece.count)
    }

    /// Runs a step, and keeps its error. Returns whether it succeeded.
    private func keep(_ step: () throws(DownloadError) -> Void) -> Bool {
        do {
            try step()
            return true
        } catch {
            problem = error
            return false
        }
    }

    /// Removes all content.
    func clear() throws(DownloadError) {
        try file.truncate(to: 0)
        hash.restart()
        (length, responses) = (0, 0)
    }

    /// Returns whether the content is the requested one. Wrong content is removed.
    func isRight() throws(DownloadError) -> Bool {
        if hash.finish()?.hexadecimal == request.sha256 { return true }
        try clear()
        return false
    }

    /// Gives the content its final name.
    func commit() throws(DownloadError) {
        try file.sync()
        try folder.rename(Self.partialName(name), to: name)
        try folder.sync()
        try folder.remove(Self.validatorName(name))
    }

    /// Removes the files, because the complete file is already there.
    func discard() throws(DownloadError) {
        try folder.remove(Self.partialName(name))
        try folder.remove(Self.validatorName(name))
    }
}

/// The origin of a partial file, so that a later process can go on with it.
///
/// The entity tag is the validator of RFC 9110, section 13.1.5: a server sends the rest only if its file still has this tag.
struct Validator: Equatable {
    /// The digest of the complete file.
    let sha256: String
    /// The address from which the last bytes came.
    let address: String
    /// The strong entity tag of the file at this address, or nil if the server says none.
    let entityTag: String?

    /// The longest file of a validator.
    static let limit = 1 << 16

    /// The content of the file. A line break in a text would be read as another entry, and is therefore not written.
    var bytes: [UInt8] {
        let lines = ["partial file 1", sha256, address] + [entityTag].compactMap(\.self)
        return Array((lines.map { $0.replacing("\n", with: "") }.joined(separator: "\n") + "\n").utf8)
    }
}

extension Validator {
    /// Reads a file, or returns nil for anything that this type did not write.
    init?(_ bytes: [UInt8]) {
        var lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 4 || lines.count == 5, lines.popLast() == "", lines[0] == "partial file 1" else {
            return nil
        }
        let entityTag = lines.count == 4 ? String(lines[3]) : nil
        self.init(sha256: String(lines[1]), address: String(lines[2]), entityTag: entityTag)
    }
}
