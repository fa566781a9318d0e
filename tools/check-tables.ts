// SQL follows the order of docs/architecture.md, too: a table is written by its owner's domain only, and read by its owner
// and the domains after it.
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { layerOf, layers, type Layer } from './layers.ts'
import { root } from './run.ts'

/** `name` with its schema, as SQL names it; `variable` as the module of its owner exports it. */
type Table = { name: string; variable: string; owner: Layer }

type TableUse = { table: Table; isWrite: boolean }

const declaration = /^export const (\w+) = (?:(auth)\.table|pgTable)\(\s*'(\w+)'/gm

/** The owner is the domain whose name the file in src/tables has. */
function readTables(): Table[] {
  return globSync('src/tables/*.ts', { cwd: root }).flatMap((path) => {
    const owner = layers.find((layer) => layer === basename(path, '.ts'))
    if (!owner) return []
    const found = readFileSync(join(root, path), 'utf8').matchAll(declaration)
    return [...found].map(([, variable = '', schema, name = '']) => ({
      name: schema ? `${schema}.${name}` : name,
      variable,
      owner,
    }))
  })
}

const comment = /^\s*(?:\/\/|\/?\*).*$/gm
const inSql = {
  read: /\b(?:from|join)\s+(?:only\s+)?((?:auth\.)?\w+)/gi,
  write: /\b(?:insert\s+into|update|delete\s+from)\s+(?:only\s+)?((?:auth\.)?\w+)/gi,
}
const imported = /import \{([^}]*)\} from '#tables\/(\w+)\.ts'/g
const inDrizzle = /\.(?:insert|update|delete)\(\s*(\w+)\s*\)/g

/** Each table once, as written where the source writes it. A table whose module is imported counts as read. */
export function findTableUses(source: string, tables: readonly Table[]): TableUse[] {
  const text = source.replaceAll(comment, '')
  const byName = new Map(tables.map((table) => [table.name, table]))
  const byVariable = new Map<string, Table>()
  for (const [, names = '', owner] of text.matchAll(imported))
    for (const name of names.split(',')) {
      const [variable = '', local = variable] = name.trim().split(' as ')
      const table = tables.find((each) => each.owner === owner && each.variable === variable)
      if (table) byVariable.set(local, table)
    }
  const uses = new Map<Table, boolean>()
  const add = (table: Table | undefined, isWrite: boolean) => {
    if (table) uses.set(table, isWrite || uses.get(table) === true)
  }
  for (const table of byVariable.values()) add(table, false)
  for (const [, name = ''] of text.matchAll(inDrizzle)) add(byVariable.get(name), true)
  for (const [, name = ''] of text.matchAll(inSql.read)) add(byName.get(name), false)
  for (const [, name = ''] of text.matchAll(inSql.write)) add(byName.get(name), true)
  return [...uses].map(([table, isWrite]) => ({ table, isWrite }))
}

/** Files that read a table of a domain after theirs, each with the reason. */
const mayRead: Record<string, string> = {
  'src/domains/accounts/accounts.ts':
    'an account that has bought is not deleted, and one that was given all it has is known',
  'src/domains/accounts/user-search.ts': 'a reader is called after an order where the account has no name',
  'src/domains/catalog/sale-mode.ts':
    'whether the book is the author’s own, and whether money was ever taken',
  'src/domains/delivery/release-mail.ts': 'whether the reader has paid by card, in the words of the email',
  'src/domains/orders/entitlements.ts':
    'what was given, downloaded or paid back entitles to nothing any more',
  'src/domains/orders/browser-orders.ts': 'whether the buyer has corrected the address',
  'src/domains/orders/purchases.ts': 'what a buyer sees of a purchase, in one statement',
  'src/domains/orders/receipts.ts': 'the sums of a receipt as they were paid and given back',
  'src/domains/orders/refund-right.ts': 'the right to a refund ends with a download, and is used once',
  'src/domains/orders/withdrawal-declarations.ts':
    'the right of withdrawal ends with a download, and is used once',
}

/** Files that write a table of another domain. */
const mayWrite: Record<string, string> = {
  'src/domains/privacy/account-erasure.ts: mails': 'whose an email is follows from orders and messages',
}

function check(): string[] {
  const tables = readTables()
  const complaints: string[] = []
  const unused = new Set([...Object.keys(mayRead), ...Object.keys(mayWrite)])
  const files = globSync('src/{platform,domains}/**/*.ts', {
    cwd: root,
    exclude: ['**/*.test.ts'],
  })
  for (const path of files) {
    const own = layerOf(path)
    if (!own) continue
    for (const { table, isWrite } of findTableUses(readFileSync(join(root, path), 'utf8'), tables)) {
      const { name, owner } = table
      const writer = `${path}: ${name}`
      if (isWrite && owner !== own) {
        unused.delete(writer)
        if (!mayWrite[writer]) complaints.push(`${path} writes ${name}, which is of ${owner}`)
      }
      if (layers.indexOf(owner) > layers.indexOf(own)) {
        unused.delete(path)
        if (!mayRead[path]) complaints.push(`${path} reads ${name}, which is of ${owner}`)
      }
    }
  }
  return [...complaints, ...[...unused].map((entry) => `${entry}: the exception is not needed`)]
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const complaints = check()
  for (const complaint of complaints) console.error(complaint)
  if (complaints.length > 0) process.exitCode = 1
}
