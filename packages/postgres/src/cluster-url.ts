// The address of a cluster's server, which listens on a unix socket only.
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import type { Cluster } from './cluster.ts'
import { SOCKET_FILE } from './leftovers.ts'

const SOCKET_PATH_LIMIT = 103

/** `held` has what must stay open for as long as the address is used. */
export function clusterUrl(cluster: Pick<Cluster, 'dir' | 'password'>, held: DisposableStack): string {
  const host = encodeURIComponent(reachableSocketDir(cluster.dir, held))
  return `postgres://lectern:${cluster.password}@localhost/postgres?host=${host}&port=5432`
}

/** A socket's path has a limit of about 100 bytes, a folder's has none: the kernel knows the open folder by a short name. */
function reachableSocketDir(dir: string, held: DisposableStack): string {
  if (Buffer.byteLength(join(dir, SOCKET_FILE)) <= SOCKET_PATH_LIMIT) return dir
  if (process.platform !== 'linux')
    throw new Error(`The path of DATA_DIR is too long for a unix socket: ${dir}`)
  const handle = openSync(dir, 'r')
  held.defer(() => closeSync(handle))
  return `/proc/${process.pid}/fd/${handle}`
}
