import SessionMachine
import Vocabulary

/// What is true of a turn that has begun, as is known, and that the journal knows nothing of, or not all.
///
/// It is not known which apps took part, so the turn is ended as after a power cut, and the device stays quarantined: the agent contains
/// what it finds, and all apps that the journal does not know must clear before they get anything.
enum LostTurn {
    /// The turn of that mark, to be written after all that the journal still knows. Nothing where that turn has ended.
    static func records(of mark: EpochMark, wall: Int64, why: Explanation, in device: inout Ledger.DeviceRecord)
        -> [Record]
    {
        guard mark.isOpen else { return [] }
        let when = mark.begin?.wall ?? wall
        device.turn = Ledger.TurnRecord(epoch: mark.epoch, holder: .unknown, when: when, began: mark.begin, lost: why)
        return [.began(mark.epoch, .unknown, wall: when)]
    }

    /// Registrations are missing of the turn that the journal says is open.
    static func records(for ledger: Ledger, since note: BootNote) -> [Record] {
        var device = ledger.device
        device.nextInstance = above(max(device.nextInstance, note.nextInstance))
        device.turn?.lost = [.olderCopy]
        guard var barrier = ledger.barrier else { return [.device(device)] }
        barrier.lost = [.olderCopy]
        return [.device(device), .barrier(barrier)]
    }

    /// Far above all numbers of registrations that the lost part can have given out, and no further than a journal can be read.
    static func above(_ next: Instance) -> Instance { next.advanced(by: 1 << 32) }
}
