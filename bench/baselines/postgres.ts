// An empty Node that starts the embedded PostgreSQL, and stops it again.
import { startEmbeddedPostgres } from '#server/db/embedded.ts'

const { dataDir } = JSON.parse(process.argv[2]!) as { dataDir: string }
const silent = { info() {}, warn() {}, error() {} }
const postgres = await startEmbeddedPostgres({ dataDir, log: silent })
await postgres.stop()
console.log('{}')
