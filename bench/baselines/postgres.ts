// The baseline of a whole shop’s memory: node:http beside an embedded PostgreSQL, and nothing of the shop.
import { createServer } from 'node:http'
import { startEmbeddedPostgres } from '@lectern/postgres'

const [port, dataDir = ''] = process.argv.slice(2)
const silent = { info() {}, warn() {}, error() {} }
const postgres = await startEmbeddedPostgres({ dataDir, log: silent })
createServer((_request, response) => response.end()).listen(Number(port), '127.0.0.1')
process.on('SIGTERM', () => void postgres.stop().then(() => process.exit()))
