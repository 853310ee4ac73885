import LocalAccounts
import Secrets
import SystemPackage

/// Cheap enough for a hundred tests.
let cheap = ScryptParameters(logRounds: 4, blockSize: 1, parallelism: 1) ?? .standard

func secret(_ text: String) -> Secret { Secret(Array(text.utf8)) }

func hash(_ pin: String) throws -> PINHash { try PINHash.make(pin: secret(pin), parameters: cheap) }
