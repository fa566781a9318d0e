// A server changes from one release to the next in this order; what a command that was killed has left is finished.

/** The server that install.sh has set up. */
export type Server = {
  /** The one that the next start of the shop opens. */
  release(): string
  link(release: string): Promise<void>
  /** The one in use before a change that has not ended; undefined where none is under way. */
  former(): string | undefined
  setFormer(release: string | undefined): Promise<void>
  /** Requests wait meanwhile. Throws where the shop does not open. */
  restart(): Promise<void>
}

/** Throws where the next release does not work on the data; the former one is in use again then, where it opens. */
export async function changeOver(server: Server, to: string): Promise<void> {
  await server.setFormer(server.release())
  try {
    await server.link(to)
  } catch (error) {
    await server.setFormer(undefined)
    throw error
  }
  await endChange(server)
}

/** It ends a change whose command was killed, too, and does nothing where none is under way. */
export async function endChange(server: Server): Promise<void> {
  const former = server.former()
  if (former === undefined) return
  try {
    await server.restart()
  } catch (error) {
    if (server.release() === former) throw error
    await server.link(former)
    await server.restart()
    await server.setFormer(undefined)
    throw error
  }
  await server.setFormer(undefined)
}
