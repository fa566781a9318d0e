// argon2id alone, with the shop's parameters and as many at once as the shop runs.
import { availableParallelism } from 'node:os'
import { hash, verify } from '@node-rs/argon2'
import { argon2id } from '../../src/features/accounts/argon2id.ts'

const { seconds } = JSON.parse(process.argv[2]!) as { seconds: number }
const hashers = Math.max(1, availableParallelism() - 1)
const kept = await hash('the author herself', argon2id)
const since = performance.now()
let done = 0

async function work() {
  while (performance.now() - since < seconds * 1000) {
    await verify(kept, 'the author herself')
    done += 1
  }
}
await Promise.all(Array.from({ length: hashers }, work))
console.log(JSON.stringify({ perSecond: done / ((performance.now() - since) / 1000) }))
