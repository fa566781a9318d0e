// What may go wrong with Stripe and on the way to it. Shares go from 0, never, to 1, always.

export type Faults = {
  /** Of the calls: nothing is done, and the response is a 500, which is saved under the call's key. */
  errors: number
  /** … all is done, and the response is a 500, which is saved under the call's key. */
  doneErrors: number
  /** … nothing is done, and the response is a 429. */
  tooMany: number
  /** … all is done, and the connection breaks before the response. */
  cut: number
  /** … all is done, and no response ever comes. */
  silent: number
  /** … the connection breaks at once, and all is done somewhat later. */
  hung: number
  /** … all is done as it should be, after a while. */
  slow: number
  /** … nothing is done, and a proxy responds with a 503. */
  away: number
  /** Of the webhooks: never sent. */
  lost: number
  /** … sent twice, the second one somewhat later. */
  repeated: number
  /** … held back for a while, so that later ones overtake them. */
  late: number
  /** How late that is at most, in milliseconds. */
  latest: number
}

export const noFaults: Faults = {
  errors: 0,
  doneErrors: 0,
  tooMany: 0,
  cut: 0,
  silent: 0,
  hung: 0,
  slow: 0,
  away: 0,
  lost: 0,
  repeated: 0,
  late: 0,
  latest: 3_000,
}

const callFaults = ['errors', 'doneErrors', 'tooMany', 'cut', 'silent', 'hung', 'slow', 'away'] as const
export type CallFault = (typeof callFaults)[number]

/** At most one for a call. */
export function pickCallFault(faults: Faults, random: () => number): CallFault | undefined {
  let chance = random()
  for (const name of callFaults) {
    if (chance < faults[name]) return name
    chance -= faults[name]
  }
  return undefined
}
