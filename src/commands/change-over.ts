// From one release to the next on a server: in which order, and what a run that was killed has left to do.
import { z } from 'zod'

const releases = { from: z.string(), to: z.string() }

/**
 * What is under way, written before each step. `held`: the former release is in use, and stops. `linked`: the next one
 * is in use, and nothing has reached it. `back`: the former one comes back. `serving`: requests may have reached it.
 */
export const changeState = z.discriminatedUnion('step', [
  z.object({ step: z.literal('held'), ...releases }),
  z.object({ step: z.enum(['linked', 'back', 'serving']), ...releases, last_start: z.string() }),
])
type ChangeState = z.output<typeof changeState>
type Linked = Exclude<ChangeState, { step: 'held' }>

/** The server that install.sh has set up. */
export type Server = {
  readState(): ChangeState | undefined
  /** At once or not at all, as the change of the link. */
  writeState(state: ChangeState | undefined): void
  release(): string
  link(release: string): Promise<void>
  /** Requests wait from now on, until `start` or the end of this process; those that have come before go on. */
  hold(): Promise<void>
  /** Lets the requests that wait reach the shop once it is ready. Also where it runs already. */
  start(): Promise<void>
  stop(): Promise<void>
  /** Differs once the shop was started by anybody. */
  lastStart(): Promise<string>
  keepData(release: string): Promise<void>
  /** Also where it has happened already. */
  bringBackData(release: string): Promise<void>
  dropKeptData(release: string): Promise<void>
  /** Starts the release on the shop's data where no request reaches it, and stops it. Throws where it does not work. */
  tryOut(release: string): Promise<void>
}

/** Throws where the next release does not work; the former one is in use again then. */
export async function changeOver(server: Server, { from, to }: { from: string; to: string }): Promise<void> {
  server.writeState({ step: 'held', from, to })
  try {
    await server.hold()
    await server.stop()
    await server.keepData(from)
  } catch (error) {
    await undoHold(server, from)
    throw error
  }
  const last_start = await server.lastStart()
  const state = { step: 'linked', from, to, last_start } as const
  server.writeState(state)
  await server.link(to)
  await finish(server, state)
}

/** Of a run that was killed. Undefined where nothing was under way, else the release that is in use afterwards. */
export async function recover(server: Server): Promise<string | undefined> {
  const state = server.readState()
  if (!state) return undefined
  await server.hold()
  if (state.step === 'held') await undoHold(server, state.from)
  else if (state.step === 'serving' || (await server.lastStart()) !== state.last_start)
    await endServing(server)
  else if (state.step === 'back') await goBack(server, state)
  // Killed before the link was changed.
  else if (server.release() !== state.to) await undoHold(server, state.from)
  else await finish(server, state)
  return server.release()
}

async function undoHold(server: Server, from: string): Promise<void> {
  await server.dropKeptData(from).catch(() => undefined)
  await server.start()
  server.writeState(undefined)
}

async function finish(server: Server, state: Linked): Promise<void> {
  try {
    await server.tryOut(state.to)
  } catch (error) {
    await goBack(server, state)
    throw error
  }
  server.writeState({ ...state, step: 'serving' })
  await endServing(server)
}

async function goBack(server: Server, state: Linked): Promise<void> {
  server.writeState({ ...state, step: 'back' })
  await server.bringBackData(state.from)
  await server.link(state.from)
  await server.start()
  server.writeState(undefined)
}

async function endServing(server: Server): Promise<void> {
  await server.start()
  await server.dropKeptData(server.release())
  server.writeState(undefined)
}
