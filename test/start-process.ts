// Child processes of tests, torture and bench. None outlives the process that started it.
import { spawn, type StdioNull } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { cleanEnvironment } from './environment.ts'

export type ChildProcess = AsyncDisposable & {
  pid: number
  isRunning(): boolean
  /** What it has printed so far, where that is captured. */
  stdout(): string
  stderr(): string
  /** Resolves when the process has ended and its output has been read. `code` is null after a signal. */
  ended: Promise<{ code: number | null; stdout: string; stderr: string }>
  /** Sends the signal to the process, or to its group, and waits for its end. */
  stop(signal?: NodeJS.Signals): ChildProcess['ended']
}

type Options = {
  cwd?: string
  /** Beside the variables that `cleanEnvironment` lets through. */
  env?: NodeJS.ProcessEnv
  /** Another user to run as. */
  uid?: number
  gid?: number
  /** Captured unless said otherwise; a number is a file descriptor. */
  stdout?: StdioNull | number
  stderr?: StdioNull | number
  /** In a group of its own: Ctrl-C in the terminal does not reach it, and signals go to all that it has started. */
  hasGroup?: boolean
}

const running = new Set<ChildProcess>()
const timeoutMs = 180_000

process.on('exit', () => {
  for (const child of running) void child.stop('SIGKILL')
})

export function startProcess(command: string, args: readonly string[], options: Options = {}): ChildProcess {
  const { env, stdout = 'pipe', stderr = 'pipe', hasGroup = false, ...others } = options
  const child = spawn(command, args, {
    ...others,
    env: cleanEnvironment(env),
    detached: hasGroup,
    stdio: ['ignore', stdout, stderr],
  })
  const printed = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => void (printed[name] += text))
  }
  async function untilEnded() {
    const [code] = (await once(child, 'close')) as [number | null]
    return { code, ...printed }
  }
  const self: ChildProcess = {
    pid: child.pid!,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    stdout: () => printed.stdout,
    stderr: () => printed.stderr,
    ended: untilEnded(),
    stop(signal = 'SIGTERM') {
      if (self.isRunning()) process.kill(hasGroup ? -self.pid : self.pid, signal)
      return self.ended
    },
    async [Symbol.asyncDispose]() {
      await self.stop('SIGKILL')
    },
  }
  running.add(self)
  child.once('exit', () => running.delete(self))
  return self
}

/** Ends on SIGINT and SIGTERM with whatever is running; for programs that no test runner looks after. */
export function endChildrenOnSignals(): void {
  async function end() {
    await Promise.all([...running].map((child) => child.stop()))
    process.exit(130)
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end())
}

/** Resolves once a GET of `url` succeeds; rejects if the process ends before. */
export async function untilReady(url: string, child: ChildProcess): Promise<void> {
  await until(child, url, async () => {
    const response = await fetch(url, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined)
    await response?.body?.cancel()
    return response?.ok
  })
}

/** Resolves with what the process has printed, once there is a line; rejects if it ends before. */
export async function untilPrinted(child: ChildProcess): Promise<string> {
  await until(child, 'a line', async () => child.stdout().includes('\n'))
  return child.stdout().trim()
}

async function until(
  child: ChildProcess,
  what: string,
  isSo: () => Promise<boolean | undefined>,
): Promise<void> {
  const deadline = Date.now() + timeoutMs
  while (!(await isSo())) {
    if (!child.isRunning()) {
      const { code, stderr } = await child.ended
      throw new Error(`the process ended with ${code} before there was ${what}. ${stderr}`)
    }
    if (Date.now() > deadline) throw new Error(`no ${what} within ${timeoutMs} ms. ${child.stderr()}`)
    await sleep(5)
  }
}
