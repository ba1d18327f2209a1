import HTTPTransfer

/// The attempts at the mirrors of a file, until its content is there.
struct Attempts {
    let request: DownloadRequest
    let name: String
    let client: HTTPClient
    let content: PartialContent
    let deadline: ContinuousClock.Instant

    /// An attempt that failed, with the consequence for its mirror.
    private typealias Failure = (error: DownloadError, kind: MirrorList.Failure)

    func run() async throws(DownloadError) {
        // The last process may have received everything, but not given it its name.
        if content.isWhole, try content.isRight() { return }
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
                do {
                    guard let failure = try await fetch(mirrors.address(index), from: offset) else { return }
                    last = failure.error.about(name, attempt: attempt)
                    mirrors.note(failure.kind, of: index, at: .now)
                } catch {
                    throw error.about(name, attempt: attempt)
                }
            }
        }
    }

    /// Makes one request. Returns nil if the content is then whole and right.
    ///
    /// - Throws: The error if no other attempt could help.
    private func fetch(_ address: String, from offset: Int64) async throws(DownloadError) -> Failure? {
        let before = content.length
        var http = HTTPRequest(address)
        http.offset = offset
        http.ifRange = offset > 0 ? content.entityTag(at: address) : nil
        http.authorities = request.authorities
        http.deadlines = request.limits.deadlines
        http.deadlines.total = max(.milliseconds(1), ContinuousClock.now.duration(to: deadline))
        let content = content
        do {
            try await client.get(
                http, start: { content.begin($0, from: address, offset: offset) }, receive: { content.append($0) })
        } catch {
            return try failure(error, since: before, of: offset)
        }
        guard content.isWhole else {
            let detail = "\(content.length) of \(request.length) bytes"
            let isEmpty = offset > 0 && content.isResumed && content.length == before
            return (
                DownloadError(.lengthMismatch, address, detail: detail), isEmpty ? .wrongPart : broken(since: before)
            )
        }
        let isMixed = content.isResumed
        if try content.isRight() { return nil }
        return (DownloadError(.hashMismatch, address), isMixed ? .mixedContent : .permanent)
    }

    /// Returns the failure of an attempt whose connection broke.
    ///
    /// Without any limit for such attempts, a mirror that always breaks after the same part would be tried for ever.
    private func broken(since before: Int64) -> MirrorList.Failure {
        content.length - before >= request.limits.progressLength ? .interrupted : .temporary(retryAfter: nil)
    }

    /// Returns the failure of an attempt, or throws its error if no other attempt could help.
    ///
    /// An answer to the request of a part that cannot be used says nothing about the whole file, whatever is wrong with it.
    private func failure(_ error: HTTPError, since before: Int64, of offset: Int64) throws(DownloadError) -> Failure {
        let unusable = offset > 0 ? MirrorList.Failure.wrongPart : .permanent
        var error = error
        switch error.code {
        case .stopped:
            guard let problem = content.takeProblem() else {
                error.code = .canceled
                throw error
            }
            error = problem.about(error.address)
            switch problem.code {
            case .lengthMismatch: return (error, unusable)
            case .rangeInvalid: return (error, .wrongPart)
            default: throw problem
            }
        case .canceled, .unavailable:
            throw error
        case .timedOut where ContinuousClock.now >= deadline:
            error.code = .deadlineExceeded
            throw error
        case .timedOut, .broken, .unreachable:
            return (error, broken(since: before))
        case .statusUnexpected where error.status == 416:
            error.code = .rangeInvalid
            return (error, .wrongPart)
        case .statusUnexpected where [408, 425, 429].contains(error.status) || (error.status ?? 0) >= 500:
            return (error, .temporary(retryAfter: error.retryAfter))
        case .statusUnexpected, .encoded:
            return (error, unusable)
        default:
            return (error, .permanent)
        }
    }

    /// Returns the error of a download that ends without another attempt.
    private func ended(_ code: DownloadError.Code, _ last: DownloadError?, _ attempts: Int) -> DownloadError {
        let detail = code == .canceled ? "" : last?.description ?? ""
        return DownloadError(code, last?.address ?? name, detail: detail).about(name, attempt: attempts)
    }
}
