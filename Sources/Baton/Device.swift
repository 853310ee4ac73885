@_exported public import BatonContract
public import DBus

/// The device that this process runs on, as batond sees it.
///
///     let device = try await Device.connect()
///     let account = try await device.getCurrentAccount()
///
/// Every call throws `BatonError` where batond refuses, and `DeviceError` where there is no batond to ask.
public struct Device: Sendable {
    /// The bus that was chosen.
    public let bus: BusAddress
    /// What is for administrators may have polkit ask a person, such as for a password; such a call waits for them. Set it where
    /// a person waits for the answer.
    public var allowsInteraction = false
    let connection: Connection
    /// Of the app that takes part through this value or a copy of it.
    let membership = Membership()

    package init(bus: BusAddress, connection: Connection) {
        self.bus = bus
        self.connection = connection
    }

    /// Connects to a bus; nil: the one that the environment names.
    ///
    /// `BATON_BUS` is `system`, `session` or an address in the notation of the D-Bus specification. Without it: the
    /// system bus if Baton is installed on this machine, is there or can be started there, else the session bus where
    /// there is one, else the system bus.
    ///
    /// That it succeeds does not mean that batond runs; see `isPresent()`.
    public static func connect(_ bus: BusAddress? = nil) async throws -> Device {
        if let bus { return try await open(bus) }
        return try await BusChoice.fromEnvironment()
    }

    static func open(_ bus: BusAddress) async throws -> Device {
        try await translating {
            Device(bus: bus, connection: try await Connection.open(bus))
        }
    }

    /// Whether batond runs now; asking does not start it.
    public func isPresent() async throws -> Bool {
        try await call(BusNames.nameHasOwner, Device1.busName.rawValue, to: BusNames.bus, at: BusNames.path)
    }

    /// Whether this device is shared; `.unknown` if batond does not answer, which an app treats as shared.
    public var deviceMode: DeviceMode {
        get async { (try? await requireDeviceMode()) ?? .unknown }
    }

    /// Like `deviceMode`, but says why it is not known.
    public func requireDeviceMode() async throws -> DeviceMode {
        DeviceMode(rawValue: try await call(Device1.getDeviceMode)) ?? .unknown
    }

    public func deviceInformation() async throws -> DeviceInformation {
        DeviceInformation(try await call(Device1.getDeviceInformation))
    }

    /// Who holds the device and who held it before; an app that takes part and has something to clear is refused with
    /// `staleEpoch` on the connection that it registered on.
    public func getCurrentAccount() async throws -> CurrentAccount {
        let (epoch, current, previous) = try await call(Device1.getCurrentAccount)
        return CurrentAccount(epoch: epoch, current: Account(current), previous: Account(previous))
    }

    // MARK: Sign-out

    /// Signs the worker out of the whole device and returns when every app is settled; batond bounds the time.
    ///
    /// - Parameter reason: `.user` for all; some reasons are for administrators or the agent.
    /// - Parameter epoch: The turn to end; nil: the one that runs. A turn that has ended is a success.
    /// - Parameter wipeAccount: The device has no previous account afterwards.
    /// - Returns: The turn and its receipt, whose outcome may be `quarantined`; nil: there was nothing to sign out.
    public func signOut(
        reason: SignOutReason = .user, epoch: Epoch? = nil, wipeAccount: Bool = false
    ) async throws -> (epoch: Epoch, receipt: Receipt?) {
        let options = SignOutOptions(epoch: epoch, reason: reason, wipesAccount: wipeAccount)
        let (ended, receipt) =
            reason == .administrator
            ? try await administer(Device1.signOut, options.dictionary, timeout: nil)
            : try await call(Device1.signOut, options.dictionary, timeout: nil)
        return (ended, try Receipt.read(answer: receipt))
    }

    /// Ends a pending automatic sign-out.
    public func keepSignedIn() async throws {
        try await call(Device1.keepSignedIn)
    }

    /// Covers the screen until the worker is back, as `unlock` shows. It is a part of the turn, with a grace.
    ///
    /// - Parameter pin: Chosen for this turn where the account has none here (4 to 12 digits); nil: it has one, or has chosen.
    /// - Throws: `pinRequired`: choose one, or lock without. `agentMissing`, `failed`: nothing is covered.
    public func lock(choosing pin: OwnedDescriptor? = nil) async throws {
        try await call(Device1.lock, LockOptions(pin))
    }

    /// Covers the screen, too, where the account has no PIN and none is chosen: the worker comes back by phone.
    ///
    /// - Throws: `pinRequired`: the settings offer no phone.
    public func lockWithoutPIN() async throws {
        var options = LockOptions()
        options.withoutPIN = true
        try await call(Device1.lock, options)
    }

    /// Shows the screen again.
    ///
    /// - Throws: `notAuthorized`: the PIN is wrong; after five of them the worker is signed out. `pinRequired`: none was chosen, or
    ///   batond has started since. `invalidArgument`: nothing is locked.
    public func unlock(pin: OwnedDescriptor) async throws {
        try await call(Device1.unlock, UnlockOptions(pin: pin))
    }

    /// Shows the screen again when its worker has shown at the identity provider, with another device, that they are back; however
    /// long that takes, as long as batond waits. `cancelSignIn()` gives it up.
    ///
    /// - Parameter step: Told what the worker has to do there.
    /// - Throws: `accountMismatch`: another account has signed in there. `userCanceled`: it was given up, or a PIN came first. `invalidArgument`:
    ///   nothing is locked, or the settings offer no phone. What `signIn` throws.
    public func unlockByPhone(step: @escaping @Sendable (SignInStep) async -> Void) async throws {
        try await connection.tellingSteps(step) {
            try await call(Device1.unlock, UnlockOptions(.deviceCode), timeout: nil)
        }
    }

    // MARK: Records

    public func receipt(_ epoch: Epoch) async throws -> Receipt {
        guard let receipt = try Receipt.read(answer: await call(Device1.getReceipt, epoch)) else {
            throw DeviceError.unexpected("an empty receipt")
        }
        return receipt
    }

    /// The newest receipts, the newest first.
    public func receipts(newest: UInt32) async throws -> [Receipt] {
        try await call(Device1.listReceipts, newest).compactMap { try Receipt.read(answer: $0) }
    }

    /// The apps that take part, and those that are in debt without being there.
    public func participants() async throws -> [ParticipantStatus] {
        try await call(Participants.list).map { ParticipantStatus($0) }
    }
}
