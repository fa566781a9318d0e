// Files with something broken in them, the same for the same seed.
import { createRandom } from './torture/random.ts'

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

export function createMutations(seed: number) {
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

  return { random, whole, mutate }
}
