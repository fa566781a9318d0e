// Made-up users: more and more of them towards today; one in eight has told no name.
import { chanceOf, idOf } from './random.ts'

const given =
  'Anna,Ben,Clara,David,Eva,Felix,Grace,Hannah,Isaac,Joel,Karen,Levi,Miriam,Noah,Olivia,Paul,Rachel,Samuel,Tessa,Victor'.split(
    ',',
  )
const family =
  'Archer,Baker,Carter,Dyer,Ellis,Fisher,Gardner,Hunter,Ives,Joiner,Keller,Lane,Mason,North,Parker,Reeve,Sawyer,Turner,Weaver,Young'.split(
    ',',
  )

export type Span = { from: number; to: number }
export type Reader = { id: string; email: string; name: string | undefined; joined: string }

const kind = { joined: 1, id: 10, isNamed: 2, given: 3, family: 4 }

/** `count` users who join within `span` (milliseconds); any of them can be asked for again. None is kept. */
export function makeReaders(
  seed: number,
  { count, before, span }: { count: number; before: number; span: Span },
) {
  const chance = (n: number, what: number) => chanceOf(seed, n + before, what)
  // The first user exists from the beginning, because every purchase has a buyer.
  const joined = (n: number) =>
    span.from + (span.to - span.from) * Math.sqrt((n === 1 ? 0 : n - chance(n, kind.joined)) / count)
  const pick = (names: string[], n: number, what: number) =>
    names[Math.floor(chance(n, what) * names.length)]!

  const idOfReader = (n: number) => idOf(seed, n + before, kind.id, joined(n))
  return {
    count,
    span,
    id: idOfReader,
    /** How many had joined by then, one at least. */
    joinedBy: (ms: number) =>
      Math.max(1, Math.floor(count * ((ms - span.from) / (span.to - span.from)) ** 2)),
    get(n: number): Reader {
      const name =
        chance(n, kind.isNamed) < 0.875
          ? `${pick(given, n, kind.given)} ${pick(family, n, kind.family)}`
          : undefined
      const email = `reader-${n + before}@demo.example.com`
      return { id: idOfReader(n), email, name, joined: new Date(joined(n)).toISOString() }
    },
  }
}

export type Readers = ReturnType<typeof makeReaders>
