// The faults of Stripe and on the way to it. Shares go from 0, never, to 1, always.

export type Faults = {
  /** The share of calls in which nothing is done, and the response is a 500, which is saved under the call's key. */
  errors: number
  /** … in which all is done, and the response is a 500, which is saved under the call's key. */
  doneErrors: number
  /** … in which nothing is done, and the response is a 429. */
  tooMany: number
  /** … in which all is done, and the connection breaks before the response. */
  cut: number
  /** … in which all is done, and no response ever comes. */
  silent: number
  /** … in which the connection breaks at once, and all is done somewhat later. */
  hung: number
  /** … in which all is done as it should be, after a while. */
  slow: number
  /** … in which nothing is done, and a proxy responds with a 503. */
  away: number
  /** The share of webhooks that are never sent. */
  lost: number
  /** … that are sent twice, the second one somewhat later. */
  repeated: number
  /** … that are held back for a while, so that later ones overtake them. */
  late: number
  /** Milliseconds that such a webhook is held back at most. */
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

/** Picks one for a call at most. */
export function pickCallFault(faults: Faults, random: () => number): CallFault | undefined {
  let chance = random()
  for (const name of callFaults) {
    if (chance < faults[name]) return name
    chance -= faults[name]
  }
  return undefined
}
