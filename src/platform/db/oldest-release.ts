// The oldest release of Lectern that may start on the data of a migration. A migration only adds, so any may, until
// a statement takes away what no release since the one in its comment uses: "-- contract: unused since 0.4.0".

export const anyRelease = '0'

const contract = /--\s*contract:\s*unused since (\d+(?:\.\d+)+)/gi

/** Returns the oldest release after these statements; `before` is that of the data before them. */
export function raiseOldestRelease(before: string, statements: readonly string[]): string {
  const named = statements.flatMap((statement) =>
    [...statement.matchAll(contract)].flatMap(([, release = '']) => release),
  )
  return named.reduce((oldest, release) => (isOlderRelease(oldest, release) ? release : oldest), before)
}

/** Compares the three numbers alone, not what follows them, as in 0.4.0-rc.1. */
export function isOlderRelease(release: string, than: string): boolean {
  const [numbers, others] = [numbersOf(release), numbersOf(than)]
  const at = [0, 1, 2].find((each) => numbers[each] !== others[each]) ?? 0
  return (numbers[at] ?? 0) < (others[at] ?? 0)
}

function numbersOf(release: string): number[] {
  const [major = 0, minor = 0, patch = 0] = release.split(/[.+-]/).map(Number)
  return [major, minor, patch]
}
