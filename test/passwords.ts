// The shop's own hashing, which computes each result once for all shops of a process: most passwords of tests are alike.
import { createPasswords, type Passwords } from '#domains/accounts/passwords.ts'

const passwords = createPasswords()
const hashes = new Map<string, Promise<string>>()
const results = new Map<string, Promise<boolean>>()

/** Not for a test of how long a response takes. */
export const rememberingPasswords: Passwords = {
  hash: (password) => remember(hashes, password, () => passwords.hash(password)),
  isRight: (password, hash) =>
    remember(results, JSON.stringify([password, hash]), () => passwords.isRight(password, hash)),
}

/** What failed is tried again. */
function remember<Result>(known: Map<string, Promise<Result>>, key: string, compute: () => Promise<Result>) {
  const response = known.get(key) ?? compute()
  known.set(key, response)
  response.catch(() => known.delete(key))
  return response
}
