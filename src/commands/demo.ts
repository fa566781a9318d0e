import { parseArgs } from 'node:util'
import { seed as seedCatalogue } from '#domains/catalog/seed.ts'
import { openClient } from '#platform/db/writable-client.ts'
import { fill } from './fill-demo.ts'
import { fail, openShell } from './shell.ts'

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      users: { type: 'string', default: '200' },
      purchases: { type: 'string', default: '1000' },
      years: { type: 'string', default: '2' },
      force: { type: 'boolean', default: false },
    },
  })
  const users = whole(values.users)
  const purchases = whole(values.purchases)
  const years = whole(values.years)
  await using shell = await openShell()
  await seedCatalogue(shell.services)
  await using client = await openClient(shell.url)
  await fill(client, { users, purchases, years, isForced: values.force }, console.log)
  console.log(`${users} readers (reader-1@demo.example.com …) and ${purchases} purchases are there.`)
}

function whole(text: string): number {
  if (!/^\d+$/.test(text)) throw new Error(`"${text}" is no whole number.`)
  return Number(text)
}

await main().catch(fail)
process.exit(0)
