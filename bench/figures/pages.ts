// The home page, the product list and the API's description, against node:http sending the same bytes.
import { mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { compare, type Figure } from '../figure.ts'
import { repeat, startBaseline, type Shop } from '../processes.ts'

export async function home(shop: Shop, rounds: number): Promise<Figure[]> {
  const headers = { 'accept-encoding': 'gzip, deflate, br' }
  const { ratio, note } = await against(shop, '/', headers, rounds)
  return [
    {
      name: 'GET / at 50 connections, against node:http',
      bar: { atLeast: 0.7 },
      unit: 'ratio',
      measured: ratio,
      note,
    },
  ]
}

export async function products(shop: Shop, rounds: number): Promise<Figure[]> {
  const { ratio, note } = await against(shop, '/api/products', {}, rounds)
  return [
    {
      name: 'GET /api/products, against node:http',
      bar: { atLeast: 0.6 },
      unit: 'ratio',
      measured: ratio,
      note,
    },
  ]
}

export async function openapi(shop: Shop, rounds: number): Promise<Figure[]> {
  const headers = { 'accept-encoding': 'gzip, deflate, br' }
  const { ratio, note } = await against(shop, '/api/openapi.json', headers, rounds)
  return [
    {
      name: 'GET /api/openapi.json, against node:http',
      bar: { atLeast: 0.3 },
      unit: 'ratio',
      measured: ratio,
      note,
    },
  ]
}

async function against(shop: Shop, path: string, headers: Record<string, string>, rounds: number) {
  const { bytes, sent } = await asSent(shop.url + path, headers)
  using folder = mkdtempDisposableSync(join(tmpdir(), 'lectern-bench-'))
  const file = join(folder.path, 'bytes')
  writeFileSync(file, bytes)
  await using raw = await startBaseline('bytes', file, JSON.stringify(sent))
  const perSecond = (url: string) => async () =>
    (await repeat({ url, connections: 50, seconds: 4, headers })).perSecond
  return await compare(rounds, perSecond(shop.url + path), perSecond(`${raw.url}/`))
}

/** Asked for with node:http, which unlike fetch does not unpack what comes. */
async function asSent(url: string, headers: Record<string, string>) {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { headers }, resolve).on('error', reject)
  })
  const sent = {
    'content-type': response.headers['content-type'],
    ...(response.headers['content-encoding'] && { 'content-encoding': response.headers['content-encoding'] }),
  }
  return { bytes: await buffer(response), sent }
}
