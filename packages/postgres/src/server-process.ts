// One run of the PostgreSQL server, under a guard that stops it when this process is gone, however it went.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { insideCluster, type Cluster } from './cluster.ts'
import { killServer } from './leftovers.ts'
import type { LogFile } from './log-file.ts'

export type Settings = Record<string, string>
export type ServerProcess = { ready: Promise<void>; exited: Promise<void> }

const SETTINGS: Settings = {
  listen_addresses: '',
  unix_socket_directories: '.',
  unix_socket_permissions: '0700',
  shared_buffers: '128MB',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'warning',
  log_checkpoints: 'off',
  // Details are left out: they quote values of rows.
  log_error_verbosity: 'terse',
}
const PATIENCE_MS = 4_000
/** A shell exits with 128 and the signal's number where a signal has ended its command. */
const KILLED_ABOVE = 128
/** The postmaster ends by itself where its startup process is killed. */
const WAS_KILLED = /terminated by signal/

/** It has not ended by itself: the next start may succeed. */
export class KilledServer extends Error {}

// Its input ends with this process; SIGINT then is PostgreSQL's fast, clean shutdown. It lives in a process group
// of its own and ignores signals to everyone, so that the shop can finish its requests before the database goes.
const GUARD = `
exec 3<&0
"$@" </dev/null 3<&- &
server=$!
trap '' HUP INT TERM
(read -r end <&3; kill -INT $server) 2>/dev/null &
watch=$!
wait $server
code=$?
{ kill -KILL $watch; wait $watch; } 2>/dev/null
exit $code
`

/** Starts the server; aborting `signal` shuts it down, by force when it does not hurry. */
export function launchServer(
  cluster: Cluster,
  { settings, logFile, signal }: { settings: Settings; logFile: LogFile; signal: AbortSignal },
): ServerProcess {
  const { path, spawnOptions } = insideCluster(cluster)
  const flags = Object.entries({ ...SETTINGS, ...settings }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  const command = [join(cluster.bin, 'postgres'), '-D', path, ...flags]
  const guard = spawn('/bin/sh', ['-c', GUARD, 'postgres-guard', ...command], {
    ...spawnOptions,
    detached: true,
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  const ready = Promise.withResolvers<void>()
  let output = ''
  guard.stdin.on('error', () => {})
  guard.stderr.on('data', (chunk: Buffer) => {
    logFile.write(chunk)
    output = (output + chunk.toString()).slice(-2_000)
    if (output.includes('ready to accept connections')) ready.resolve()
  })

  function stop() {
    guard.stdin.end()
    const force = setTimeout(() => killServer(cluster.dir), PATIENCE_MS)
    guard.once('exit', () => clearTimeout(force))
  }
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop, { once: true })

  const heard = once(guard.stderr, 'close').catch(() => {})

  async function ended() {
    const [code] = await once(guard, 'exit').catch((error: unknown) => {
      ready.reject(error)
      return []
    })
    signal.removeEventListener('abort', stop)
    // A surviving backend would hold the pipe open: wait for the last words, not for it.
    await Promise.race([heard, sleep(100)])
    guard.stdin.destroy()
    guard.stderr.destroy()
    const message = `PostgreSQL did not start: ${output.trim()}`
    const isKilled = typeof code !== 'number' || code > KILLED_ABOVE || WAS_KILLED.test(output)
    ready.reject(isKilled ? new KilledServer(message) : new Error(message))
  }
  return { ready: ready.promise, exited: ended() }
}
