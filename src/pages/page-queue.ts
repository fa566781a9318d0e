// The queue of pages that are made for one request: so many are rendered at a time, answers to forms before the others.
import { setImmediate as nextTurn } from 'node:timers/promises'

export type PageQueueLimits = {
  maxRunning: number
  maxWaiting: number
  /** Milliseconds that a page may wait. */
  maxWaitMs: number
}

type Request = {
  /** Somebody waits for what became of the form that was sent. */
  isForm: boolean
  /** Aborted once the client has gone. */
  signal: AbortSignal
}

export type PageQueue = {
  /** Throws a PageQueueError where the page's turn does not come. */
  run<Page>(request: Request, make: () => Promise<Page>): Promise<Page>
}

export class PageQueueError extends Error {
  constructor() {
    super('too many pages are asked for at a time')
  }
}

/** Turns of the event loop. Node accepts one connection in each, so that few would leave most visitors unheard for seconds. */
const pauseTurns = 25

/** React holds the event loop while it renders a page: what has arrived meanwhile comes before the next page. */
async function pause(): Promise<void> {
  for (let turn = 0; turn < pauseTurns; turn += 1) await nextTurn()
}

type Turn = { begin: () => void; refuse: () => void }

export function openPageQueue({ maxRunning, maxWaiting, maxWaitMs }: PageQueueLimits): PageQueue {
  const forms = new Set<Turn>()
  const others = new Set<Turn>()
  let running = 0
  let isPausing = false

  function beginNext(): void {
    if (running === maxRunning || isPausing) return
    const [turn] = forms.size > 0 ? forms : others
    if (!turn) return
    running += 1
    isPausing = true
    turn.begin()
    void beginLater()
  }

  async function beginLater(): Promise<void> {
    await pause()
    isPausing = false
    beginNext()
  }

  function takeTurn({ isForm, signal }: Request): Promise<void> {
    const waiting = isForm ? forms : others
    if (running + forms.size + others.size >= maxRunning + maxWaiting) {
      // The last one has waited for the shortest time.
      const last = isForm ? [...others].at(-1) : undefined
      if (!last) throw new PageQueueError()
      last.refuse()
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        waiting.delete(turn)
        clearTimeout(timer)
        signal.removeEventListener('abort', turn.refuse)
      }
      const turn: Turn = {
        begin() {
          leave()
          resolve()
        },
        refuse() {
          leave()
          reject(new PageQueueError())
        },
      }
      const timer = setTimeout(turn.refuse, maxWaitMs)
      signal.addEventListener('abort', turn.refuse)
      waiting.add(turn)
      beginNext()
    })
  }

  return {
    async run(request, make) {
      if (request.signal.aborted) throw new PageQueueError()
      await takeTurn(request)
      try {
        return await make()
      } finally {
        running -= 1
        beginNext()
      }
    },
  }
}
