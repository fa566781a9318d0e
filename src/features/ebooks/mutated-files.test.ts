// A thousand EPUBs and PDFs, each a sound one with something broken in it: every one is reported or refused, in time, and
// the thread that reads them never fails. The same again: FILES_SEED=… npx vitest run …/mutated-files.test.ts
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createRandom } from '#test/torture/random.ts'
import { container, makeEpub, packageDocument } from '#test/epub.ts'
import { Problem } from '../../problems.ts'
import { checkEbook, openUploadReader } from './check.ts'

const seed = Number(process.env['FILES_SEED'] ?? 20_261_121)
const count = 1_000
/** Well under the user's own limit: no single change may make a small file slow. */
const slowestMs = 20_000

const tokens = [
  '<rootfile ',
  '<!DOCTYPE a [<!ENTITY b "c">]>',
  '<![CDATA[',
  '<!--',
  '&#0;',
  '&a;',
  '</package>',
  '<item href="../../x" id="a"/>',
  ' full-path="%ff%"',
  '/Encrypt 5 0 R',
  '/Prev 9',
  'startxref\n0\n%%EOF',
  'xref\n0 4000000000\n',
  'PK\u0001\u0002',
  'PK\u0005\u0006',
  'PK\u0006\u0006',
].map((token) => Buffer.from(token, 'latin1'))

const random = createRandom(seed)
const whole = (from: number, to: number) => Math.floor(random.between(from, to))

/** One change, somewhere in the file. */
function mutate(content: Buffer): Buffer {
  const at = whole(0, content.length)
  const until = Math.min(content.length, at + whole(1, 200))
  const [before, part, after] = [
    content.subarray(0, at),
    content.subarray(at, until),
    content.subarray(until),
  ]
  const noise = () => Buffer.from(Array.from({ length: whole(1, 30) }, () => whole(0, 256)))
  const changes = [
    () => flipBits(content),
    () => before,
    () => Buffer.concat([before, after]),
    () => Buffer.concat([before, part, part, after]),
    () => Buffer.concat([before, ...Array<Buffer>(whole(100, 1_000)).fill(part), after]),
    () => Buffer.concat([before, noise(), after]),
    () => Buffer.concat([before, random.of(tokens), after]),
    () => writeNumber(content, at),
  ]
  return random.of(changes)()
}

function flipBits(content: Buffer): Buffer {
  const flipped = Buffer.from(content)
  for (let bits = whole(1, 20); bits > 0; bits -= 1) flipped[whole(0, flipped.length)]! ^= 1 << whole(0, 8)
  return flipped
}

function writeNumber(content: Buffer, at: number): Buffer {
  const changed = Buffer.from(content)
  if (at + 4 <= changed.length) changed.writeUInt32LE(random.of([0, 1, 0x7fffffff, 0xffffffff]), at)
  return changed
}

test('each of a thousand broken files is reported or refused, in time', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'lectern-mutated-'))
  const reader = openUploadReader({ threads: 1 })
  const samplePdf = await readFile(new URL(import.meta.resolve('#content/edition/sample.pdf')))
  const shortPdf = Buffer.concat([samplePdf.subarray(0, 1_000), samplePdf.subarray(-20_000)])
  let n = 0
  const makers = [
    () => mutate(makeEpub()),
    () => mutate(n % 20 === 1 ? samplePdf : shortPdf),
    // What is changed is the XML, and not its packing.
    () => makeEpub({ 'O/b.opf': mutate(Buffer.from(packageDocument)) }),
    () => mutate(shortPdf),
    () => makeEpub({ 'META-INF/container.xml': mutate(Buffer.from(container)) }),
    () => mutate(mutate(shortPdf)),
  ]
  const seen = new Map<string, number>()
  let slowest = 0
  for (; n < count; n += 1) {
    const format = n % 2 === 0 ? 'epub' : 'pdf'
    const content = makers[n % makers.length]!()
    const path = join(folder.path, 'file')
    await writeFile(path, content)
    const since = performance.now()
    const outcome = await checkEbook(reader, path, `book.${format}`).then(
      ({ findings }) => (findings.length > 0 ? 'findings' : 'sound'),
      (error: unknown) =>
        error instanceof Problem ? error.code : `file ${n} of seed ${seed}: ${String(error)}`,
    )
    slowest = Math.max(slowest, performance.now() - since)
    seen.set(outcome, (seen.get(outcome) ?? 0) + 1)
  }
  await reader.close()
  expect(slowest).toBeLessThan(slowestMs)
  const expected = ['findings', 'sound', 'uploads.not_an_ebook', 'uploads.too_complex']
  expect([...seen.keys()].filter((outcome) => !expected.includes(outcome))).toEqual([])
  // Each kind of outcome was met: the changes reach what they are to reach.
  expect([...seen.keys()].toSorted()).toEqual(expected)
})
