import BatonContract
import DBus
import DeviceBus
import LinuxSystem
import Log
import Logging
import Providers
import ReceiptChain
import ServiceLifecycle
import SessionMachine
import Settings
import Supervisor
import Vocabulary

/// batond as a service: from the settings to the bus name, and back when it is told to stop.
struct Daemon: Service {
    let options: DaemonOptions
    let log: Logger
    let logControl: LogControl
    let whenCalm: @Sendable () -> Void

    /// - Parameter logControl: What the handlers of `log` ask for their level.
    /// - Parameter whenCalm: Called when the name is owned and calls are answered, and after each sign-out.
    init(
        _ options: DaemonOptions, log: Logger, logControl: LogControl, whenCalm: @escaping @Sendable () -> Void = {}
    ) {
        self.options = options
        self.log = log
        self.logControl = logControl
        self.whenCalm = whenCalm
    }

    /// Runs `body` on the calling thread, which must be the program's first, and hands it the executor of its tasks.
    static func onThisThread<Value: Sendable>(
        _ body: @escaping @Sendable (_ executor: any TaskExecutor) async throws -> Value
    ) throws -> Value {
        let loop = try TaskLoop()
        return try loop.run { try await body(loop) }
    }

    /// Runs until graceful shutdown.
    ///
    /// - Throws: `DaemonFault` when it cannot begin, or when the bus or the name is lost.
    func run() async throws {
        // First of all: these descriptors are ours already.
        let kept = DescriptorStore.inherited(options.environment)
        let settings = try await loadSettings()
        let receiptKey = try options.receiptKey()
        let connection = try await connect()
        let places = try options.places()
        // Before the journal is touched: a second instance must not even look at it.
        guard try await connection.owner(of: Device1.busName) == nil else { throw alreadyRunning }
        let life = try await DaemonLife(
            settings: settings, connection: connection, places: places, options: options,
            receiptKey: receiptKey, kept: kept, log: log, logControl: logControl, whenCalm: whenCalm)
        do {
            try await life.begin()
        } catch DBusError.nameTaken {
            throw alreadyRunning
        }
        ReadyNotice(socketPath: options.environment["NOTIFY_SOCKET"]).send("READY=1")
        let journal = await life.supervisor.journal
        log.tell(
            .ready, .info, "ready",
            [
                "bus": "\(options.scope)", "version": "\(Version.current)",
                "receipt-key": "\(journal.receiptKey?.base64 ?? "")",
                "receipt-head": "\(journal.receiptHead?.text ?? "")",
            ])
        whenCalm()
        try await life.run()
    }

    private var alreadyRunning: DaemonFault {
        .unavailable("another batond owns \(Device1.busName) on this bus")
    }

    /// The settings, or a fault that names file, line and key of everything that is wrong.
    func loadSettings() async throws(DaemonFault) -> Settings {
        let parsed = try await options.parseSettings()
        for warning in parsed.warnings { log.warning("\(warning)") }
        for fault in parsed.appFaults { log.tell(.settingsFault, .error, "an app is disabled", ["error": "\(fault)"]) }
        return parsed.settings
    }

    private func connect() async throws(DaemonFault) -> Connection {
        do {
            var bus = ConnectionOptions.standard(for: options.address)
            let log = log
            bus.keepsTasks = true
            bus.shareOfUser = CallShare(calls: 512, descriptors: 128)
            bus.watchesReading = true
            bus.failureName = BatonError(.failed, "").name
            bus.failureMessage = BatonError(.failed).message
            bus.onUnexpectedError = { error, member in
                log.tell(.callFailed, .error, "a call failed", ["member": "\(member)", "error": "\(error)"])
            }
            return try await Connection.open(options.address, options: bus)
        } catch {
            throw .unavailable("\(error)")
        }
    }
}
