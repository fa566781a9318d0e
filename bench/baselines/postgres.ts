// An empty Node that starts the embedded PostgreSQL; prints the milliseconds from this process's birth until it is ready.
import { startEmbeddedPostgres } from '#server/db/embedded.ts'

const { dataDir } = JSON.parse(process.argv[2]!) as { dataDir: string }
const silent = { info() {}, warn() {}, error() {} }
const postgres = await startEmbeddedPostgres({ dataDir, log: silent })
console.log(JSON.stringify({ ms: performance.now() }))
await postgres.stop()
