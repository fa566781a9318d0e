// Rows that grow beyond what a backup says end its restore.
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { expect, test } from 'vitest'
import { limitRows } from './row-limits.ts'

const megabyte = Buffer.alloc(1024 * 1024, 'a row\n')

function load(
  chunks: readonly Buffer[],
  { rows, bytes = Infinity }: { rows: number; bytes?: number },
  room?: () => Promise<void>,
) {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  return pipeline(Readable.from(chunks), limitRows({ rows, bytes }, room), nowhere)
}

test('as many rows and bytes as the backup says pass, and one more does not', async () => {
  const rows = [Buffer.from('one\ntw'), Buffer.from('o\n')]
  await load(rows, { rows: 2, bytes: 8 })
  await load(rows, { rows: 2 })
  await expect(load(rows, { rows: 1 })).rejects.toThrow('more than the backup says')
  await expect(load(rows, { rows: 2, bytes: 7 })).rejects.toThrow('more than the backup says')
  await expect(
    load(
      Array.from({ length: 65 }, () => Buffer.alloc(1024 ** 2)),
      { rows: 9 },
    ),
  ).rejects.toThrow('larger than 64 MB')
})

test('the disk is looked at every 64 MB, and rows stop where it has no room', async () => {
  let looks = 0
  const room = async () => {
    looks += 1
    if (looks === 3) throw new Error('no room')
  }
  const rows = Array.from({ length: 200 }, () => megabyte)
  await expect(load(rows, { rows: Infinity }, room)).rejects.toThrow('no room')
  expect(looks).toBe(3)
})
