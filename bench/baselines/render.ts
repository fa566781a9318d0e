// Renders the home page of the built site, with the products it is given, and prints the median of its times.
import type { ServerBuild } from 'react-router'
import type { Product } from '../../src/features/products/contract/products.ts'
import { createRender } from '../../src/pages/render.ts'
import { median } from '../figure.ts'

const rounds = 50

const { products } = JSON.parse(process.argv[2]!) as { products: Product[] }
const build = (await import(new URL('../../dist/server/pages.js', import.meta.url).href)) as ServerBuild
const render = createRender(build, { mode: 'production', isTestMode: false })
const times: number[] = []
for (let round = 0; round < rounds; round += 1) {
  const since = performance.now()
  await (await render(new Request('http://localhost/'), products)).text()
  times.push(performance.now() - since)
}
console.log(JSON.stringify({ ms: median(times) }))
