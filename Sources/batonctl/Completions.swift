import ArgumentParser
import Baton
import DBus
import LocalAccounts

/// What a shell offers for a word: what this terminal has just now, and nothing where that cannot be asked.
enum Completions {
    /// User names of local accounts.
    static let accounts = CompletionKind.custom { words, _, _ in
        let bus = bus(of: words)
        let explicit = value(of: "--config", in: words)
        guard
            let place = try? SettingsLocation.file(explicit: explicit, bus: bus, environment: Terminal.environment),
            let accounts = try? AccountsFile(beside: place.path).list()
        else { return [] }
        return accounts.map(\.username)
    }

    /// Ids of apps that take part or owe something.
    static let apps = CompletionKind.custom { words, _, _ in
        await asked(words) { device in Set(try await device.participants().map(\.app)).sorted() }
    }

    /// Turns that have a receipt.
    static let turns = CompletionKind.custom { words, _, _ in
        await asked(words) { device in try await device.receipts(newest: 20).map { "\($0.epoch)" } }
    }

    /// Keys of the settings.
    static let settings = CompletionKind.custom { words, _, _ in
        guard let batond = ProgramPath.beside("batond"),
            let run = try? await BatondRun(batond, ["--show-settings", "--json"], isSystem: words.contains("--system"))
        else { return [] }
        return run.answer(SettingsListing.self)?.settings.map(\.key) ?? []
    }

    /// A person waits at the keyboard: a device that does not answer at once has nothing to offer.
    private static func asked(
        _ words: [String], _ ask: @escaping @Sendable (Device) async throws -> [String]
    ) async -> [String] {
        await withTaskGroup(of: [String].self) { group in
            let bus = bus(of: words)
            group.addTask {
                do {
                    let device: Device
                    if let bus { device = try await .connect(bus) } else { device = try await .connect() }
                    return try await ask(device)
                } catch {
                    return []
                }
            }
            group.addTask {
                try? await Task.sleep(for: .seconds(2))
                return []
            }
            defer { group.cancelAll() }
            return await group.next() ?? []
        }
    }

    private static func bus(of words: [String]) -> BusAddress? {
        if words.contains("--system") { return .system }
        if words.contains("--session") { return .session }
        return value(of: "--bus", in: words).map { .address($0) }
    }

    private static func value(of option: String, in words: [String]) -> String? {
        if let word = words.first(where: { $0.hasPrefix(option + "=") }) {
            return String(word.dropFirst(option.count + 1))
        }
        guard let place = words.firstIndex(of: option), words.indices.contains(place + 1) else { return nil }
        return words[place + 1]
    }
}
