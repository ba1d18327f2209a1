internal import HTTPTransfer

/// The attempts at the mirrors of a file, until its content is there.
struct Attempts {
    let request: DownloadRequest
    let name: String
    let client: HTTPClient
    let content: PartialContent
    let deadline: ContinuousClock.Instant

    /// A failed attempt.
    private struct Failure: Error {
        let error: DownloadError
        /// The consequence for the mirror, or nil if no other attempt could help.
        let kind: MirrorList.Failure?
    }

    func run() async throws(DownloadError) {
        if try isThere() { return }
        var mirrors = MirrorList(request.mirrors, limits: request.limits)
        var last: DownloadError?
        var attempt = 0
        while true {
            guard !Task.isCancelled else { throw ended(.canceled, last, attempt) }
            switch mirrors.next(at: .now) {
            case .none:
                throw last ?? DownloadError(.requestInvalid, name)
            case .pause(let time):
                guard time < deadline else { throw ended(.deadlineExceeded, last, attempt) }
                // A cancellation is noticed above.
                try? await Task.sleep(until: time, clock: .continuous)
            case .mirror(let index):
                guard ContinuousClock.now < deadline else { throw ended(.deadlineExceeded, last, attempt) }
                attempt += 1
                let offset = mirrors.sendsParts(index) ? content.length : 0
                do throws(Failure) {
                    return try await fetch(mirrors.address(index), from: offset)
                } catch {
                    var failed = error.error.about(name)
                    failed.attempts = attempt
                    guard let kind = error.kind else { throw failed }
                    last = failed
                    mirrors.note(kind, of: index, at: .now)
                }
            }
        }
    }

    /// Returns whether the last process has received everything, but has not given it its name. Removes wrong content.
    private func isThere() throws(DownloadError) -> Bool {
        guard content.isWhole else { return false }
        if content.isRight() == true { return true }
        try content.clear()
        return false
    }

    /// Makes one request. Returns if the content is then whole and right.
    private func fetch(_ address: String, from offset: Int64) async throws(Failure) {
        let before = content.length
        var http = HTTPRequest(address)
        http.offset = offset
        http.ifRange = offset > 0 ? content.entityTag(at: address) : nil
        http.authorities = request.authorities
        http.deadlines.total = max(.milliseconds(1), ContinuousClock.now.duration(to: deadline))
        http.deadlines.connect = request.limits.connect
        http.deadlines.slowestRate = request.limits.slowestRate
        http.deadlines.patience = request.limits.patience
        let content = content
        do throws(HTTPError) {
            try await client.get(
                http, start: { content.begin($0, from: address, offset: offset) }, receive: { content.append($0) })
        } catch {
            throw failure(error, since: before, of: offset)
        }
        guard content.isWhole else {
            let detail = "\(content.length) of \(request.length) bytes"
            let isEmpty = offset > 0 && content.isResumed && content.length == before
            throw Failure(
                error: DownloadError(.lengthMismatch, address, detail: detail),
                kind: isEmpty ? .wrongPart : broken(since: before))
        }
        guard let isRight = content.isRight() else {
            throw Failure(error: DownloadError(.unavailable, address, detail: "libcrypto failed"), kind: nil)
        }
        guard !isRight else { return }
        let isMixed = content.isResumed
        do throws(DownloadError) {
            try content.clear()
        } catch {
            throw Failure(error: error, kind: nil)
        }
        throw Failure(error: DownloadError(.hashMismatch, address), kind: isMixed ? .mixedContent : .permanent)
    }

    /// Returns the failure of an attempt whose connection broke.
    ///
    /// Without any limit for such attempts, a mirror that always breaks after the same part would be tried for ever.
    private func broken(since before: Int64) -> MirrorList.Failure {
        content.length - before >= request.limits.progressLength ? .interrupted : .temporary(retryAfter: nil)
    }

    /// Returns the failure of an attempt.
    ///
    /// An answer to the request of a part that cannot be used says nothing about the whole file, whatever is wrong with it.
    private func failure(_ error: HTTPError, since before: Int64, of offset: Int64) -> Failure {
        let unusable = offset > 0 ? MirrorList.Failure.wrongPart : .permanent
        var error = error
        let kind: MirrorList.Failure?
        switch error.code {
        case .stopped:
            guard let problem = content.takeProblem() else {
                error.code = .canceled
                return Failure(error: error, kind: nil)
            }
            switch problem.code {
            case .lengthMismatch: kind = unusable
            case .rangeInvalid: kind = .wrongPart
            default: return Failure(error: problem, kind: nil)
            }
            error = problem.about(error.address)
        case .canceled, .unavailable:
            kind = nil
        case .timedOut where ContinuousClock.now >= deadline:
            (error.code, kind) = (.deadlineExceeded, nil)
        case .timedOut, .broken, .unreachable:
            kind = broken(since: before)
        case .statusUnexpected where error.status == 416:
            (error.code, kind) = (.rangeInvalid, .wrongPart)
        case .statusUnexpected where [408, 425, 429].contains(error.status) || (error.status ?? 0) >= 500:
            kind = .temporary(retryAfter: error.retryAfter)
        case .statusUnexpected, .encoded:
            kind = unusable
        default:
            kind = .permanent
        }
        return Failure(error: error, kind: kind)
    }

    /// Returns the error of a download that ends without another attempt.
    private func ended(_ code: DownloadError.Code, _ last: DownloadError?, _ attempts: Int) -> DownloadError {
        let detail = code == .canceled ? "" : last?.description ?? ""
        var error = DownloadError(code, last?.address ?? name, detail: detail)
        error.attempts = attempts
        return error
    }
}
