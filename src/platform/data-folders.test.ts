// What a killed process has left on its way to a bucket.
import { mkdir, mkdtempDisposable, readdir, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { hourMs } from '#contract/durations.ts'
import { openStorage } from './open-storage.ts'
import { outgoingFolder, sweepOutgoing } from './data-folders.ts'

test('copies for a bucket are in DATA_DIR, removed after a failure, and after a day if their process was killed', async () => {
  await using data = await mkdtempDisposable(join(tmpdir(), 'lectern-outgoing-'))
  const folder = outgoingFolder(data.path)
  const storage = openStorage({ storageUrl: 's3://bucket', dataDir: data.path })
  let duringWrite: string[] = []
  async function* breaking() {
    yield Buffer.from('some')
    duringWrite = await readdir(folder)
    throw new Error('the connection broke')
  }
  await expect(storage.write('ebooks/1', Readable.from(breaking()))).rejects.toThrow('the connection broke')
  expect([duringWrite.length, await readdir(folder)]).toEqual([1, []])

  await mkdir(folder, { recursive: true })
  for (const [name, hours] of [
    ['old', 25],
    ['new', 23],
  ] as const) {
    await writeFile(join(folder, name), 'content')
    const written = new Date(Date.now() - hours * hourMs)
    await utimes(join(folder, name), written, written)
  }
  await sweepOutgoing({ config: { dataDir: data.path }, clock: () => new Date() })
  expect(await readdir(folder)).toEqual(['new'])
})
