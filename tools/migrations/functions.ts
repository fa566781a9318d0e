// SQL functions and triggers: the text in force of each is in src/platform/db/functions, and a migration carries a copy.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const statementBreak = '--> statement-breakpoint'
const definition = /^create (?:or replace )?(?:constraint )?((?:function|trigger) \w+(?:\([^)]*\))?)/im

/** By what a statement defines, in the order of the files; the last definition of each counts. */
function readDefinitions(folder: string): Map<string, string> {
  const texts = globSync('*.sql', { cwd: folder })
    .toSorted()
    .map((name) => readFileSync(join(folder, name), 'utf8'))
  return new Map(
    texts.flatMap((text) =>
      text.split(statementBreak).flatMap((statement) => {
        const name = definition.exec(statement)?.[1]
        return name ? [[name.toLowerCase(), statement.trim()]] : []
      }),
    ),
  )
}

/** The definitions that no migration carries as they are now. */
export function findChangedDefinitions(functions: string, migrations: string): string[] {
  const carried = readDefinitions(migrations)
  return [...readDefinitions(functions)]
    .filter(([name, text]) => carried.get(name) !== text)
    .map(([, text]) => text)
}
