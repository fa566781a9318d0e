// What a thread does that exceeds its limits, and what becomes of the tasks around it.
import { existsSync, readFileSync } from 'node:fs'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import {
  openBoundedWorker,
  WorkerCrashError,
  type BoundedWorker,
  type WorkerLimits,
} from './bounded-worker.ts'

const script = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads'
    parentPort.on('message', (task) => {
      if (task === 'endless') for (;;) {}
      if (task === 'busy') { const end = performance.now() + 1200; while (performance.now() < end); }
      if (task === 'greedy') { const all = []; for (;;) all.push(new Array(1000).fill(Math.random())) }
      if (task === 'fail') return parentPort.postMessage({ failure: 'it failed' })
      if (task === 'exit') process.exit(1)
      if (task === 'throw') throw new Error('it threw')
      if (task === 'throw later') setTimeout(() => { throw new Error('it threw late') }, 50)
      setTimeout(() => parentPort.postMessage({ result: task }), { slow: 200, patient: 3000 }[task] ?? 0)
    })`)}`,
)
const limits: WorkerLimits = { threads: 1, maxQueued: 2, taskMs: 60_000, memoryMb: 16 }

function open(changed: Partial<WorkerLimits> = {}) {
  const worker = openBoundedWorker<string, string>(script, { ...limits, ...changed })
  return { ...worker, [Symbol.asyncDispose]: () => worker.close() }
}

test('a task past its time or memory ends alone, and the next one is done', async () => {
  await using worker = open()
  await expect(worker.run('greedy')).rejects.toMatchObject({ limit: 'memory' })
  expect(await worker.run('after memory')).toBe('after memory')
  await using hasty = open({ taskMs: 1_000 })
  await expectEndlessEnds(hasty)
})

test('a task ends by the processor time that it uses; one that only waits does not, nor one after it', async () => {
  await using worker = open({ cpuMs: 1_500 })
  expect(await worker.run('slow')).toBe('slow')
  await expect(worker.run('endless')).rejects.toMatchObject({ limit: 'cpu' })
  expect(await worker.run('patient')).toBe('patient')
  // Each task begins anew: together these use more than one may.
  for (const task of ['busy', 'busy']) expect(await worker.run(task)).toBe(task)
})

test('a signal ends a task, and takes one that waits out of the queue', async () => {
  await using worker = open()
  const [first, second] = [new AbortController(), new AbortController()]
  const running = worker.run('endless', first.signal)
  const waiting = worker.run('never begun', second.signal)
  const last = worker.run('last')
  second.abort()
  await expect(waiting).rejects.toMatchObject({ limit: 'time' })
  first.abort()
  await expect(running).rejects.toMatchObject({ limit: 'time' })
  expect(await last).toBe('last')
  await expect(worker.run('too late', first.signal)).rejects.toMatchObject({ limit: 'time' })
})

test('what waits when the worker closes is not begun', async () => {
  const worker = open()
  const running = worker.run('endless')
  const waiting = ['first', 'second'].map((task) => worker.run(task))
  const outcomes = Promise.allSettled([running, ...waiting])
  await worker.close()
  const [, ...others] = await outcomes
  for (const outcome of others)
    expect(outcome).toMatchObject({ status: 'rejected', reason: { limit: 'time' } })
})

test('a task that fails, throws or ends its thread is an error, and the next one is done', async () => {
  await using worker = open()
  await expect(worker.run('fail')).rejects.toThrow('it failed')
  await expect(worker.run('throw')).rejects.toThrow('it threw')
  await expect(worker.run('exit')).rejects.toThrow('ended')
  expect(await worker.run('after all')).toBe('after all')
})

test('a thread that throws after its result ends alone, and the next task is done', async () => {
  await using worker = open()
  expect(await worker.run('throw later')).toBe('throw later')
  await sleep(200)
  expect(await worker.run('after all')).toBe('after all')
})

test('a thread that has been idle ends, and the next task is done in another', async () => {
  await using worker = open({ idleMs: 20 })
  for (let round = 0; round < 30; round += 1) {
    expect(await worker.run('a')).toBe('a')
    await sleep(15 + (round % 10))
  }
})

test('as many run and wait as may; any further one is refused at once', async () => {
  await using worker = open()
  const tasks = ['slow', 'b', 'c', 'd', 'e'].map((task) => worker.run(task))
  const settled = await Promise.allSettled(tasks)
  expect(settled.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'fulfilled',
    'rejected',
    'rejected',
  ])
  expect(settled[4]).toMatchObject({ reason: { limit: 'queue' } })
  expect(await worker.run('later')).toBe('later')
})

test('closing ends what runs', async () => {
  const worker = open()
  const running = worker.run('endless')
  running.catch(() => undefined)
  await sleep(200)
  await worker.close()
  await expect(running).rejects.toThrow('ended')
})

test('a process that crashes, takes too long or fills its memory ends alone, has no secrets, and the next task is done', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-worker-'))
  const path = join(folder.path, 'process.mjs')
  await writeFile(
    path,
    `process.on('message', (task) => {
      if (task === 'crash') process.kill(process.pid, 'SIGSEGV')
      if (task === 'endless') for (;;) {}
      if (task === 'greedy') { const all = []; for (;;) all.push(Buffer.alloc(1_000_000, 1)) }
      process.send({ result: task === 'environment' ? Object.keys(process.env) : task })
    })`,
  )
  const inProcess = { ...limits, maxProcessMb: 300 }
  const worker = openBoundedWorker<string, unknown>(pathToFileURL(path), inProcess)
  await expect(worker.run('crash')).rejects.toThrow(WorkerCrashError)
  expect(await worker.run('environment')).not.toContain('PATH')
  await expect(worker.run('greedy')).rejects.toMatchObject({ limit: 'memory' })
  expect(await worker.run('after memory')).toBe('after memory')
  await worker.close()
  await expect(worker.run('once more')).resolves.toBe('once more')
  await worker.close()

  const hasty = openBoundedWorker<string, unknown>(pathToFileURL(path), { ...inProcess, taskMs: 1_000 })
  await expectEndlessEnds(hasty)
  await hasty.close()

  const frugal = openBoundedWorker<string, unknown>(pathToFileURL(path), { ...inProcess, cpuMs: 1_500 })
  await expect(frugal.run('endless')).rejects.toMatchObject({ limit: 'cpu' })
  expect(await frugal.run('after all')).toBe('after all')
  await frugal.close()
})

test.runIf(process.platform === 'linux')(
  'a process that crashed is not one with too much memory, however late its end is noticed',
  async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-worker-'))
    const [path, pidPath] = [join(folder.path, 'process.mjs'), join(folder.path, 'pid')]
    await writeFile(
      path,
      `import { writeFileSync } from 'node:fs'
      process.on('message', () => {
        writeFileSync(${JSON.stringify(pidPath)}, String(process.pid))
        process.kill(process.pid, 'SIGSEGV')
      })`,
    )
    const worker = openBoundedWorker<string, unknown>(pathToFileURL(path), { ...limits, maxProcessMb: 300 })
    const running = worker.run('crash')
    running.catch(() => undefined)
    await setImmediate()
    // Without a pause, so that the timer of the next look at its memory comes before the event of its end.
    const isZombie = () =>
      /^State:\s+Z/m.test(readFileSync(`/proc/${readFileSync(pidPath, 'utf8')}/status`, 'utf8'))
    while (!existsSync(pidPath) || readFileSync(pidPath, 'utf8') === '' || !isZombie());
    await expect(running).rejects.toThrow(WorkerCrashError)
    await worker.close()
  },
)

/** On a busy machine a thread or a process may start too late for its first task. */
async function expectEndlessEnds(hasty: BoundedWorker<string, unknown>) {
  const result = (task: string) => () => hasty.run(task).catch((error: unknown) => error)
  await expect.poll(result('ready')).toBe('ready')
  await expect(hasty.run('endless')).rejects.toMatchObject({ limit: 'time' })
  await expect.poll(result('after time')).toBe('after time')
}
