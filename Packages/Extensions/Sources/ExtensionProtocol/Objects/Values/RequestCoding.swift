package import PluginCore

extension ResourceRequest: WireValue {
    package init(from reader: inout WireReader) throws {
        let (uri, parameters, name, captures): (ResourceURI, URIParameters, String, URIParameters) = try reader.read()
        let (rest, userInfo, origin): ([String], ActionParameters, RequestOrigin) = try reader.read()
        self.init(
            uri: uri.parameters == parameters ? uri : uri.adding(parameters), name: name, captures: captures,
            rest: rest, userInfo: userInfo, origin: origin)
    }

    package func write(to writer: inout WireWriter) {
        writer.write(uri, uri.parameters, name, captures, rest, userInfo, origin)
    }
}

extension Resource: WireValue {
    package init(from reader: inout WireReader) throws {
        self =
            try reader.read(Bool.self)
            ? .page(reader.read(PassedPage.self).page) : .object(reader.read(AnyValue.self).value)
    }

    package func write(to writer: inout WireWriter) {
        switch self {
        case .page(let page): writer.write(true, PassedPage(page))
        case .object(let object): writer.write(false, AnyValue(object, named: "result"))
        }
    }
}

extension RouteOutcome: WireValue {
    package init(from reader: inout WireReader) throws {
        switch try reader.read(UInt8.self) {
        case 0: self = .shown
        case 1: self = .dismissed(nil)
        case 2: self = .dismissed(try reader.read(AnyValue.self).value)
        case 3: self = .handled(try reader.read(AnyValue.self).value)
        default: throw WireReader.Malformed()
        }
    }

    package func write(to writer: inout WireWriter) {
        switch self {
        case .shown: writer.write(UInt8(0))
        case .dismissed(nil): writer.write(UInt8(1))
        case .dismissed(let value?): writer.write(UInt8(2), AnyValue(value, named: "value"))
        case .handled(let value): writer.write(UInt8(3), AnyValue(value, named: "result"))
        @unknown default: writer.refuse(self, named: "outcome")
        }
    }
}

extension Interception: WireValue {
    package init(from reader: inout WireReader) throws {
        switch try reader.read(UInt8.self) {
        case 0: self = .allow
        case 1: self = .deny(try reader.read())
        case 2: self = .redirect(try reader.read())
        case 3:
            let (reason, until): (String, AnyValue) = try reader.read()
            guard let until = until.value as? @Sendable () async throws -> Bool else { throw WireReader.Malformed() }
            self = .suspend(reason: reason, until: until)
        default: throw WireReader.Malformed()
        }
    }

    package func write(to writer: inout WireWriter) {
        switch self {
        case .allow: writer.write(UInt8(0))
        case .deny(let reason): writer.write(UInt8(1), reason)
        case .redirect(let uri): writer.write(UInt8(2), uri)
        case .suspend(let reason, let until): writer.write(UInt8(3), reason, AnyValue(until, named: "until"))
        @unknown default: writer.refuse(self, named: "interception")
        }
    }
}

extension URIParameters: WireValue {
    package init(from reader: inout WireReader) throws {
        self.init(
            try reader.readList { reader in
                let (name, value): (String, String) = try reader.read()
                return Item(name: name, value: value)
            })
    }

    package func write(to writer: inout WireWriter) {
        writer.write(items) { $0.write($1.name, $1.value) }
    }
}

extension AddressParts: WireValue {
    package init(from reader: inout WireReader) throws {
        let (captures, rest, query): ([String: String], [String], URIParameters) = try reader.read()
        self.init(captures: captures, rest: rest, query: query)
    }

    package func write(to writer: inout WireWriter) { writer.write(captures, rest, query) }
}

extension RequestOrigin: WireValue {
    package init(from reader: inout WireReader) throws {
        let (number, identifier): (UInt8, String) = try reader.read()
        switch number {
        case 0: self = .host
        case 1: self = .plugin(identifier)
        case 2: self = .extension(identifier)
        case 3: self = .external
        default: throw WireReader.Malformed()
        }
    }

    package func write(to writer: inout WireWriter) {
        switch self {
        case .host: writer.write(UInt8(0), "")
        case .plugin(let identifier): writer.write(UInt8(1), identifier)
        case .extension(let identifier): writer.write(UInt8(2), identifier)
        case .external: writer.write(UInt8(3), "")
        @unknown default: writer.refuse(self, named: "origin")
        }
    }
}

extension WireWriter {
    /// Records that a case of a newer Core has no form on the wire.
    fileprivate mutating func refuse(_ value: some Sendable, named name: String) {
        fail(AtriumError(.parameterType, name, reason: "notTransferable", ["type": "\(value)"]))
    }
}
