internal import BatonContract
internal import DBus
internal import Supervision

/// Answers `org.baton.Device1.Administration`, to administrators alone.
struct AdministrationAdapter {
    let desk: Desk
    /// Moves an unreadable journal aside and goes on with a new one; false when the journal is readable.
    let resetJournal: @Sendable () async throws -> Bool

    func serve(on object: inout ServedObject) {
        let desk = desk
        let resetJournal = resetJournal
        object.answer(Administration.endQuarantine) { caller, options in
            try options.allow([:])
            _ = try await desk.administrator(caller.name)
            if try await resetJournal() { return [:] }
            let answer = await desk.supervisor.ask { .endQuarantine($0) }
            let journalID = await desk.supervisor.journalID
            return try answer.value { answer in
                guard case .receipt(let record) = answer else { return nil }
                return record.map { Receipt($0, journalID: journalID).dictionary } ?? [:]
            }
        }
        object.answer(Administration.forgetApp) { caller, arguments in
            _ = try await desk.administrator(caller.name)
            let (user, id) = arguments
            try await desk.supervisor.ask { .forgetApp($0, AppKey(uid: user, id: id)) }.done()
        }
        object.answer(Administration.setDeviceMode) { caller, word in
            _ = try await desk.administrator(caller.name)
            guard let mode = Mode(rawValue: word) else {
                throw BatonError(.invalidArgument, "A mode is 'shared' or 'default'.")
            }
            try await desk.supervisor.ask(from: caller.name.rawValue) { .setMode($0, mode) }.done()
        }
        object.answer(Administration.reload) { caller, _ in
            // batond's own user asks as well, from the unit: `systemctl reload` fails when the settings are refused.
            if try await desk.caller(caller.name).user != Access.own { _ = try await desk.administrator(caller.name) }
            return try await desk.reload().dictionary
        }
        object.keepRoom(for: Administration.endQuarantine)
    }
}
