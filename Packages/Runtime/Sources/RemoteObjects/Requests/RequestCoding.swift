internal import ExtensionProtocol
package import PluginCore

extension ValueWriter {
    /// Writes a request of a route.
    package mutating func write(_ request: ResourceRequest) throws {
        plain.write(request.uri.text)
        plain.write(request.uri.parameters)
        plain.write(request.name)
        plain.write(request.captures)
        plain.write(request.rest)
        try write(request.userInfo)
        plain.write(request.origin)
    }

    /// Writes the result of a request.
    package mutating func write(_ resource: Resource) throws {
        switch resource {
        case .page(let page):
            plain.write(true)
            write(page)
        case .object(let object):
            plain.write(false)
            try write(any: object, named: "result")
        }
    }

    mutating func write(_ outcome: RouteOutcome) throws {
        switch outcome {
        case .shown: plain.write(UInt8(0))
        case .dismissed(nil): plain.write(UInt8(1))
        case .dismissed(let value?):
            plain.write(UInt8(2))
            try write(any: value, named: "value")
        case .handled(let value):
            plain.write(UInt8(3))
            try write(any: value, named: "result")
        }
    }

    mutating func write(_ interception: Interception) throws {
        switch interception {
        case .allow: plain.write(UInt8(0))
        case .deny(let reason):
            plain.write(UInt8(1))
            plain.write(reason)
        case .redirect(let uri):
            plain.write(UInt8(2))
            plain.write(uri.text)
        case .suspend(let reason, let until):
            plain.write(UInt8(3))
            plain.write(reason)
            try write(any: until, named: "until")
        @unknown default:
            throw AtriumError(.parameterType, "interception", reason: "notTransferable", ["type": "\(interception)"])
        }
    }
}

extension ValueReader {
    /// Reads a request of a route.
    package mutating func readRequest() throws -> ResourceRequest {
        let uri = try plain.readAddress()
        let parameters = try plain.readParameters()
        return ResourceRequest(
            uri: uri.parameters == parameters ? uri : uri.adding(parameters), name: try plain.readText(),
            captures: try plain.readParameters(), rest: try plain.readTexts(), userInfo: try readParameters(),
            origin: try plain.readOrigin())
    }

    /// Reads the result of a request.
    package mutating func readResource() throws -> Resource {
        try plain.readBool() ? .page(try readPage()) : .object(try readAny())
    }

    mutating func readOutcome() throws -> RouteOutcome {
        switch try plain.read(UInt8.self) {
        case 0: .shown
        case 1: .dismissed(nil)
        case 2: .dismissed(try readAny())
        case 3: .handled(try readAny())
        default: throw WireReader.Malformed()
        }
    }

    mutating func readInterception() throws -> Interception {
        switch try plain.read(UInt8.self) {
        case 0: return .allow
        case 1: return .deny(try plain.readText())
        case 2: return .redirect(try plain.readAddress())
        case 3:
            let reason = try plain.readText()
            guard let until = try readAny() as? @Sendable () async throws -> Bool else { throw WireReader.Malformed() }
            return .suspend(reason: reason, until: until)
        default: throw WireReader.Malformed()
        }
    }
}

extension WireWriter {
    mutating func write(_ parameters: URIParameters) {
        write(parameters.items) { writer, item in
            writer.write(item.name)
            writer.write(item.value)
        }
    }

    fileprivate mutating func write(_ origin: RequestOrigin) {
        let (number, identifier): (UInt8, String) =
            switch origin {
            case .host: (0, "")
            case .plugin(let identifier): (1, identifier)
            case .extension(let identifier): (2, identifier)
            case .external: (3, "")
            }
        write(number)
        write(identifier)
    }

    mutating func write(_ parts: AddressParts) {
        parts.captures.write(to: &self)
        write(parts.rest)
        write(parts.query)
    }
}

extension WireReader {
    mutating func readParameters() throws(Malformed) -> URIParameters {
        URIParameters(
            try readList { (reader: inout WireReader) throws(Malformed) in
                URIParameters.Item(name: try reader.readText(), value: try reader.readText())
            })
    }

    fileprivate mutating func readOrigin() throws(Malformed) -> RequestOrigin {
        let number = try read(UInt8.self)
        let identifier = try readText()
        switch number {
        case 0: return .host
        case 1: return .plugin(identifier)
        case 2: return .extension(identifier)
        case 3: return .external
        default: throw Malformed()
        }
    }

    mutating func readParts() throws(Malformed) -> AddressParts {
        AddressParts(
            captures: try [String: String](from: &self), rest: try readTexts(), query: try readParameters())
    }
}
