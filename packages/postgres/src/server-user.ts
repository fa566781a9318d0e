// The user who runs PostgreSQL: it refuses to be root, so a Lectern that is root gives it to another user.
import { readFileSync, statSync } from 'node:fs'

export type ServerUser = { uid: number; gid: number }

/** Undefined when we are an ordinary user: PostgreSQL then runs as ourselves. */
export function findServerUser(clusterDir: string): ServerUser | undefined {
  if (process.getuid?.() !== 0) return undefined
  if (process.platform !== 'linux') {
    throw new Error(
      'The embedded PostgreSQL cannot run for root here: start as another user, or set DATABASE_URL.',
    )
  }
  const owner = statSync(clusterDir, { throwIfNoEntry: false })
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  const user = findAccount('postgres') ?? findAccount('nobody')
  if (!user) throw new Error('Neither a user postgres nor nobody exists to run PostgreSQL: set DATABASE_URL.')
  return user
}

function findAccount(name: string): ServerUser | undefined {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`))
  const [, , uid, gid] = line?.split(':') ?? []
  return line ? { uid: Number(uid), gid: Number(gid) } : undefined
}
