// A large file, against node:http piping it; and what the server's memory does meanwhile.
import { spawn } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { openDatabase } from '../../src/platform/db/client.ts'
import { compare, type Figure } from '../figure.ts'
import { databaseUrlOf, memoryOf, resetPeak, signIn, startBaseline, type Shop } from '../processes.ts'

const megabytes = 200

export async function downloads(shop: Shop, rounds: number): Promise<Figure[]> {
  const file = await makeLarge(shop)
  const url = shop.url + (await linkTo(shop))
  await using raw = await startBaseline('file', file)
  await megabytesPerSecond(url)
  const before = memoryOf(shop.pid)
  resetPeak(shop.pid)
  const { ratio, note } = await compare(
    rounds,
    () => megabytesPerSecond(url),
    () => megabytesPerSecond(`${raw.url}/file`),
  )
  const grown = memoryOf(shop.pid, 'VmHWM') - before
  return [
    {
      name: 'Download of 200 MB, against node:http',
      bar: { atLeast: 0.8 },
      unit: 'ratio',
      measured: ratio,
      note: `${note} MB/s`,
    },
    { name: 'Memory growth while downloading', bar: { atMost: 30 }, unit: 'MB', measured: grown },
  ]
}

/** Puts a large file in the place of the sample. */
async function makeLarge(shop: Shop): Promise<string> {
  await using database = openDatabase(databaseUrlOf(shop), { max: 1 })
  const { rows } = await database.pool.query<{ file_path: string }>(
    "select file_path from products where format = 'digital'",
  )
  const file = join(shop.dataDir, 'files', rows[0]!.file_path)
  const out = createWriteStream(file)
  for (let written = 0; written < megabytes; written++) {
    if (!out.write(Buffer.alloc(1_000_000, written))) await once(out, 'drain')
  }
  out.end()
  await once(out, 'finish')
  return file
}

async function linkTo(shop: Shop): Promise<string> {
  const headers = { authorization: `Bearer ${await signIn(shop)}`, 'content-type': 'application/json' }
  const call = async (method: string, path: string, body?: object) =>
    (await fetch(shop.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })).json()
  const [product] = (await call('GET', '/api/products')) as { id: string }[]
  const { id } = (await call('POST', '/api/purchases', { product_id: product!.id })) as { id: string }
  const { url } = (await call('POST', `/api/purchases/${id}/download`, {})) as { url: string }
  return url
}

async function megabytesPerSecond(url: string): Promise<number> {
  const curl = spawn('curl', ['-sf', '-o', '/dev/null', '-w', '%{size_download} %{speed_download}', url])
  const [said, [code]] = await Promise.all([text(curl.stdout), once(curl, 'exit')])
  const [size, speed] = said.split(' ').map(Number)
  if (code !== 0 || size !== megabytes * 1_000_000)
    throw new Error(`the download of ${url} broke off: ${said}`)
  return speed! / 1_000_000
}
